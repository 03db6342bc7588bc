import type { YAMLParseError, YAMLWarning } from 'yaml';
import { counted, printableLine } from '../domain/text.js';
import type { Edit } from '../language/problems.js';
import { lineStartOf, replacement } from './correct.js';

export interface YamlFault {
  readonly offset: number;
  readonly message: string;
  readonly allowed: string;
  readonly edits: readonly Edit[];
}

interface Slip {
  readonly text: string;
  readonly offset: number;
  readonly complaint: string;
}
type Explained = Omit<YamlFault, 'offset' | 'edits'> & {
  readonly offset?: number;
  readonly edits: readonly (Edit | undefined)[];
};

/** Keys are the codes of the parser's errors. */
const EXPLAINED: Readonly<Record<string, (slip: Slip) => Explained>> = {
  TAB_AS_INDENT: ({ text, offset }) => ({
    message: 'This line is indented with a tab. YAML allows only spaces.',
    allowed: 'spaces',
    edits: ['  ', '    ', indentAbove(text, offset)].map((tab) =>
      indented(text, offset, (indent) => indent.replaceAll('\t', tab)),
    ),
  }),
  MULTILINE_IMPLICIT_KEY: colonMissing,
  BLOCK_AS_IMPLICIT_KEY: (slip) => keyBelow(slip) ?? colonInText(slip),
  BLOCK_IN_FLOW: colonInText,
  BAD_SCALAR_START: ({ text, offset }) => ({
    message: 'A text that begins with this character needs quotes.',
    allowed: 'quotes around the text',
    edits: inQuotes(text, offset),
  }),
  UNEXPECTED_TOKEN: quoteInText,
  MISSING_CHAR: (slip) => {
    const { text, offset, complaint } = slip;
    if (complaint.startsWith('Missing closing')) return quoteOpen(slip);
    if (complaint.startsWith('Implicit map keys')) return colonMissing(slip);
    return {
      message: 'The indentation of this line matches no line above it.',
      allowed: 'the indentation of the entry that it belongs to',
      edits: [indented(text, offset, () => indentAbove(text, offset))],
    };
  },
  BAD_INDENT: ({ text, offset, complaint }) => {
    const bracket = /\}|\]/.exec(complaint)?.[0];
    if (bracket === undefined) return tooFar(text, offset);
    const cut = commentInText(text, offset);
    if (cut !== undefined) return cut;
    const start = lineStartOf(text, offset);
    if (text.slice(start, offset).trim() === '') return openAbove(text, start, bracket);
    const gap = text[offset - 1] === ' ' ? '' : ' ';
    return {
      message: `A bracket that opens before this place is not closed: ${bracket} is missing.`,
      allowed: bracket,
      edits: [`${gap}${bracket} `, bracket].map((added) => replacement(text, [offset, offset], added)),
    };
  },
};

/** The line above opens a bracket that nothing closes. */
function openAbove(text: string, start: number, bracket: string): Explained {
  const end = text.slice(0, start).trimEnd().length;
  const opens = text.lastIndexOf(bracket === '}' ? '{' : '[', end);
  return {
    offset: Math.max(opens, lineStartOf(text, end)),
    message: `A bracket that opens on this line is not closed: ${bracket} is missing.`,
    allowed: `${bracket} at its end`,
    edits: [{ from: end, to: end, text: ` ${bracket}` }],
  };
}

/**
 * `text: Order #42 }`: the bracket is part of a comment. Reports the sign that begins it, on one of the lines above.
 */
function commentInText(text: string, offset: number): Explained | undefined {
  const above = text.slice(0, offset).trimEnd();
  const start = lineStartOf(text, above.length);
  const line = text.slice(start, above.length);
  const [, before = '', value = '', comment = ''] =
    /^([^#]*[:,[{]\s+)((?![“"'[{|>&*])[^"'#,{}[\]]*?)(\s#.*)$/.exec(line) ?? [];
  if (comment === '' || value === '') return undefined;
  const brackets = /(?:\s*[}\]])+,?\s*$/.exec(comment)?.[0] ?? '';
  const end = start + line.length - brackets.length;
  const from = start + before.length;
  const entry = /,\s+[\w-]+:\s.*$/.exec(text.slice(from, end))?.[0] ?? '';
  const whole = text.slice(from, end - entry.length);
  return {
    offset: from + value.length + 1,
    message: 'In YAML, " #" begins a comment, so the rest of the line is not read, and a bracket in it does not count.',
    allowed: 'quotes around a text that contains " #"',
    edits: [{ from, to: from + whole.length, text: JSON.stringify(whole) }],
  };
}

export function explainFault(fault: YAMLParseError | YAMLWarning, text: string): YamlFault {
  const at = fault.pos[0];
  const explained = EXPLAINED[fault.code]?.({ text, offset: at, complaint: fault.message });
  if (!explained) {
    const reason = printableLine(fault.message).replace(/[^.]$/, '$&.').slice(0, 200);
    return { offset: at, message: `This is not valid YAML: ${reason}`, allowed: 'YAML 1.2, or JSON', edits: [] };
  }
  const { message, allowed, edits, offset = at } = explained;
  return { offset, message, allowed, edits: edits.filter((edit) => edit !== undefined) };
}

/** A key that is indented further than the entry above it becomes part of that entry's text. */
function keyBelow({ text, offset }: Slip): Explained | undefined {
  const rest = restOfLine(text, offset);
  const next = offset + rest.length + 1;
  // Tabs have a separate report.
  if (/:\s/.test(rest) || text.includes('\t')) return undefined;
  return /^\s+[\w-]+:(?:\s|$)/.test(restOfLine(text, next)) ? tooFar(text, next) : undefined;
}

function tooFar(text: string, offset: number): Explained {
  const start = lineStartOf(text, offset);
  const [, indent = '', key = ''] = /^(\s*)([\w-]*)/.exec(restOfLine(text, start)) ?? [];
  const above = indentAbove(text, start);
  return {
    offset: start + indent.length,
    message: `"${key}" is not under the key of the line above it, so it does not belong to the same entry.`,
    // The corrected line is shown without its indentation.
    allowed: `the same indentation for all keys of an entry: ${counted(above.length, 'space')} here`,
    edits: [indented(text, start, () => above)],
  };
}

/** `expect:`, `  at: finish`, `    that: sent`: an entry of a list, without its dash. */
function dashMissing(text: string, offset: number): Explained | undefined {
  const start = lineStartOf(text, offset);
  const above = restOfLine(text, lineStartOf(text, Math.max(0, start - 1)));
  const line = restOfLine(text, start);
  const next = restOfLine(text, start + line.length + 1);
  const [indent = '', below = ''] = [line, next].map((one) => /^ *(?=[\w-]+:(?: |$))/.exec(one)?.[0]);
  if (indent === '' || below.length !== indent.length + 2 || !/^ *[\w-]+:\s*$/.test(above)) return undefined;
  const from = start + indent.length;
  return {
    offset: from,
    message: 'This is a list: each of its entries begins with a dash.',
    allowed: `- ${line.trim().replace(/:.*/, '')}: …`,
    edits: [{ from, to: from, text: '- ' }],
  };
}

function colonMissing({ text, offset }: Slip): Explained {
  const dash = dashMissing(text, offset);
  if (dash !== undefined) return dash;
  const rest = restOfLine(text, offset);
  const [, key, value = ''] = /^([A-Za-z_][\w.-]*?)(?::(?=\S)|\s*=\s*|\s+|$)(.*)$/.exec(rest) ?? [];
  const entry = `${key ?? ''}: ${value}`.trimEnd();
  return {
    message: 'The colon between key and value, or the space after the colon, is missing here.',
    allowed: 'key: value',
    edits: key === undefined ? [] : [replacement(text, [offset, offset + rest.length], entry)],
  };
}

function colonInText({ text, offset }: Slip): Explained {
  const rest = restOfLine(text, offset);
  const [, value, next = ''] = /^([^\s,]+)\s+(\w+: .*)$/.exec(rest) ?? [];
  const comma =
    value === undefined ? undefined : replacement(text, [offset, offset + rest.length], `${value}, ${next}`);
  return {
    message:
      'A value contains a colon and a space. Put such a text in quotes; in braces, separate entries with a comma.',
    allowed: 'quotes around a text that contains a colon and a space',
    edits: [...inQuotes(text, offset), comma],
  };
}

function quoteInText({ text, offset }: Slip): Explained {
  const before = text.slice(lineStartOf(text, offset), offset).trimEnd();
  const closed = /(?:^|[\s:,[{])((["'])(?:\\.|(?!\2).)*\2)$/.exec(before.slice(-400))?.[1] ?? '';
  const begins = lineStartOf(text, offset) + before.length - closed.length;
  const rest = restOfLine(text, begins).trimEnd();
  const quote = text[begins] ?? '"';
  const other = quote === '"' ? "'" : '"';
  const end = begins + rest.lastIndexOf(quote);
  // If no quote follows, the first two are part of the text.
  const [inner, stop] = end < offset ? [rest, begins + rest.length] : [rest.slice(1, rest.lastIndexOf(quote)), end + 1];
  const quoted = inner.includes(other) ? JSON.stringify(inner) : `${other}${inner}${other}`;
  return {
    offset: begins,
    message: `The quoted text ends at its second ${quote}, but more text follows. Put a text that contains ${quote} in the other quotes.`,
    allowed: `' around a text that contains ", and " around one that contains '`,
    edits: [replacement(text, [begins, stop], quoted)],
  };
}

/** The parser reports the end; the place where the quote opens is more useful. */
function quoteOpen({ text, offset, complaint }: Slip): Explained {
  const quote = complaint.includes("'") ? "'" : '"';
  const begins = Math.max(0, text.lastIndexOf(quote, offset - 1));
  const end = begins + restOfLine(text, begins).trimEnd().length;
  return {
    offset: begins,
    message: `The quoted text that begins here has no closing ${quote}.`,
    allowed: `${quote} at its end`,
    edits: [{ from: end, to: end, text: quote }],
  };
}

/** The text ends with its line, or in brackets with the next comma or bracket. */
function inQuotes(text: string, offset: number): (Edit | undefined)[] {
  const rest = restOfLine(text, offset);
  return [/\s+#.*|\s+$/, /\s*[,}\]].*/].map((extent) => {
    const written = rest.replace(extent, '');
    return written === '' ? undefined : replacement(text, [offset, offset + written.length], JSON.stringify(written));
  });
}

function indented(text: string, offset: number, change: (indent: string) => string): Edit {
  const from = lineStartOf(text, offset);
  const indent = /^\s*/.exec(restOfLine(text, from))?.[0] ?? '';
  return { from, to: from + indent.length, text: change(indent) };
}

function indentAbove(text: string, offset: number): string {
  const start = lineStartOf(text, offset);
  const above = restOfLine(text, lineStartOf(text, Math.max(0, start - 1)));
  return (/^[\s-]*/.exec(above)?.[0] ?? '').replace(/\S/g, ' ');
}

function restOfLine(text: string, offset: number): string {
  return /^[^\r\n]{0,400}/.exec(text.slice(offset, offset + 400))?.[0] ?? '';
}
