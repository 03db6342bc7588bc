/** Texts that look like something else: files of other tools, and text that a chat or a word processor has changed. */
import type { Edit } from '../language/problems.js';

interface Foreign {
  readonly offset: number;
  readonly code: string;
  readonly message: string;
  readonly allowed: string;
  readonly example?: string;
}

const story = 'version: 1, then given, rules, timeline and expect; "scenario list" names examples';

export function foreignFile(text: string, keys: readonly string[]): Foreign | undefined {
  const gherkin = /^[ \t]*(?:Feature|Scenario|Scenario Outline|Background|Given|When|Then)\b(?::[ \t]|[ \t]+\S)/m.exec(
    text,
  );
  if (gherkin && /^[ \t]*(?:Given|When|Then|And)[ \t]+\S/m.test(text)) {
    const message =
      'This looks like Gherkin. A scenario of the sandbox is YAML: customers and templates stand in given, steps in timeline, and checks in expect.';
    return { offset: gherkin.index, code: 'other_language', message, allowed: story };
  }
  const isStub = (keys.includes('request') && keys.includes('response')) || keys.includes('mappings');
  if (!isStub) return undefined;
  return {
    offset: 0,
    code: 'other_language',
    message:
      'This looks like a stub of an HTTP mock. A scenario of the sandbox does not describe requests: its rules change what the service does.',
    allowed: 'version: 1 and rules, each with when and then',
    example: 'rules: [{ when: message.send, then: { respond: { status: 503 } } }]',
  };
}

const QUOTED = /([“„”])([^“”„"\r\n]*)[“”](?=\s*(?:[,}\]]|$))|([‘‚’])([^‘’‚'\r\n]*)[‘’](?=\s*(?:[,}\]]|$))/;

/** The quotes of a typesetter quote nothing in YAML. */
export function curlyQuotes(text: string): { readonly offset: number; readonly edit: Edit }[] {
  let start = 0;
  return text.split('\n').flatMap((line) => {
    const from = start;
    start += line.length + 1;
    const every = new RegExp(`((?:[:,[{]|(?:^|\\s)-)\\s+|[[{])(?:${QUOTED.source})`, 'gm');
    const [first] = line.matchAll(every);
    if (first === undefined) return [];
    const put = line.replace(
      every,
      (_whole, before: string, _a, double?: string, _b?, single?: string) =>
        `${before}${JSON.stringify(double ?? single ?? '')}`,
    );
    return [
      { offset: from + first.index + (first[1]?.length ?? 0), edit: { from, to: from + line.length, text: put } },
    ];
  });
}
