/** What keeps a text from being JSON: a `.json` file is read by others too, and most YAML is none (contract §5: "YAML (JSON too)"). */

export interface JsonFault {
  readonly offset: number;
  /** One sentence. */
  readonly message: string;
}

/** Undefined for JSON. Only the commonest fault has a place that every version of the engine tells. */
export function jsonFault(text: string): JsonFault | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const comma = trailingComma(text);
    if (comma !== undefined) return { offset: comma, message: 'JSON has no comma before a closing bracket.' };
    const reason = error instanceof Error ? error.message : String(error);
    return {
      offset: Number(/position (\d+)/.exec(reason)?.[1] ?? 0),
      message: `This is no JSON: ${reason.replace(/\.?$/, '.')}`,
    };
  }
}

/** Steps over strings, in which a comma means nothing. */
function trailingComma(text: string): number | undefined {
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"|,\s*[\]}]/gs)) {
    if (match[0].startsWith(',')) return match.index;
  }
  return undefined;
}
