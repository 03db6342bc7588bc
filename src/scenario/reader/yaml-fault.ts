/** Explains a YAML syntax error, with the lines that may be meant. */
import { isScalar, Scalar, visit, type Document, type Range, type YAMLParseError, type YAMLWarning } from 'yaml';
import { printableLine } from '../../domain/printable.js';
import { lineStartOf, replacement } from './correct.js';
import type { Edit } from '../schema/problems.js';

export interface YamlFault {
  readonly offset: number;
  readonly message: string;
  readonly allowed: string;
  /** Changes that may be meant, the likeliest first. */
  readonly edits: readonly Edit[];
}

interface Slip {
  readonly document: Document.Parsed;
  readonly text: string;
  readonly offset: number;
  readonly complaint: string;
}
type Explain = (slip: Slip) => Omit<YamlFault, 'offset' | 'edits'> & {
  readonly offset?: number;
  /** Lines that may be meant. */
  readonly candidates: readonly string[];
};

/** By the code of the parser's error. */
const EXPLAINED: Readonly<Record<string, Explain>> = {
  TAB_AS_INDENT: (slip) => ({
    message: 'This line is indented with a tab. YAML allows only spaces.',
    allowed: 'spaces',
    candidates: ['  ', '    ', indentAbove(slip)].map((tab) =>
      lineAt(slip).replace(/^\s+/, (indent) => indent.replaceAll('\t', tab)),
    ),
  }),
  MULTILINE_IMPLICIT_KEY: colonMissing,
  BLOCK_AS_IMPLICIT_KEY: (slip) => keyBelow(slip) ?? colonInText(slip),
  BLOCK_IN_FLOW: colonInText,
  BAD_SCALAR_START: (slip) => ({
    message: 'A text that begins with this character needs quotes.',
    allowed: 'quotes around the text',
    candidates: inQuotes(slip),
  }),
  UNEXPECTED_TOKEN: quoteInText,
  MISSING_CHAR: (slip) => {
    if (slip.complaint.startsWith('Missing closing')) return quoteOpen(slip);
    if (slip.complaint.startsWith('Implicit map keys')) return colonMissing(slip);
    return {
      message: 'The indentation of this line matches no line above it.',
      allowed: 'the indentation of the entry that it belongs to',
      candidates: [lineAt(slip).replace(/^\s*/, indentAbove(slip))],
    };
  },
  BAD_INDENT: (slip) => {
    const bracket = /\}|\]/.exec(slip.complaint)?.[0];
    if (bracket === undefined) return tooFar(slip, slip.offset);
    const { text, offset } = slip;
    return {
      message: `A bracket that opens before this place is not closed: ${bracket} is missing.`,
      allowed: bracket,
      candidates: [` ${bracket} `, bracket, ` ${bracket}`].flatMap(
        (added) => replacedOnLine(text, [offset, offset], added)?.replace(/ {2}(?=[\]}])/, ' ') ?? [],
      ),
    };
  },
};

export function explainFault(fault: YAMLParseError | YAMLWarning, document: Document.Parsed, text: string): YamlFault {
  const explained = EXPLAINED[fault.code]?.({ document, text, offset: fault.pos[0], complaint: fault.message });
  if (!explained) {
    const message = `This is not valid YAML: ${sentence(fault.message)}`;
    return { offset: fault.pos[0], message, allowed: 'YAML 1.2, or JSON', edits: [] };
  }
  const { message, allowed, candidates, offset = fault.pos[0] } = explained;
  const from = lineStartOf(text, offset);
  const to = from + (/^[^\r\n]*/.exec(text.slice(from))?.[0].length ?? 0);
  return { offset, message, allowed, edits: candidates.map((line) => ({ from, to, text: line })) };
}

/** Returns the line with `text` in place of the characters between the offsets. */
function replacedOnLine(whole: string, range: readonly number[], text: string): string | undefined {
  const edit = replacement(whole, range, text);
  if (edit === undefined) return undefined;
  return whole.slice(lineStartOf(whole, edit.from), edit.from) + edit.text + restOfLine(whole, edit.to);
}

/** A key that is indented further than the entry above it becomes part of that entry's text. */
function keyBelow(slip: Slip): ReturnType<Explain> | undefined {
  const { text, offset } = slip;
  // Tabs have a report of their own.
  if (/:\s/.test(restOfLine(text, offset)) || text.includes('\t')) return undefined;
  const next = offset + restOfLine(text, offset).length + 1;
  return /^\s+[\w-]+:(?:\s|$)/.test(restOfLine(text, next)) ? tooFar(slip, next) : undefined;
}

/** @param offset of the line that is indented too far */
function tooFar({ text }: Slip, offset: number): ReturnType<Explain> {
  const start = lineStartOf(text, offset);
  const line = restOfLine(text, start);
  const [, key = ''] = /^\s*([\w-]+)/.exec(line) ?? [];
  const above = indentAbove({ text, offset: start });
  return {
    offset: start + line.length - line.trimStart().length,
    message: `"${key}" is not under the key of the line above it, so it does not belong to the same entry.`,
    allowed: 'the same indentation for all keys of an entry',
    candidates: [line.replace(/^\s*/, above)],
  };
}

function colonMissing(slip: Slip): ReturnType<Explain> {
  const { text, offset } = slip;
  const rest = restOfLine(text, offset);
  const [, key = '', value = ''] = /^([A-Za-z_][\w.-]*?)(?::(?=\S)|\s+|$)(.*)$/.exec(rest) ?? [];
  const line = replacedOnLine(text, [offset, offset + rest.length], `${key}: ${value}`.trimEnd());
  return {
    message: 'The colon between key and value, or the space after the colon, is missing here.',
    allowed: 'key: value',
    candidates: key === '' || line === undefined ? [] : [line],
  };
}

function colonInText(slip: Slip): ReturnType<Explain> {
  const { text, offset } = slip;
  const rest = restOfLine(text, offset);
  const [, value = '', next = ''] = /^([^\s,]+)\s+(\w+: .*)$/.exec(rest) ?? [];
  const comma = value && replacedOnLine(text, [offset, offset + rest.length], `${value}, ${next}`);
  return {
    message:
      'A value contains a colon and a space. Put such a text in quotes; in braces, separate entries with a comma.',
    allowed: 'quotes around a text that contains a colon and a space',
    candidates: [...inQuotes(slip), ...(comma ? [comma] : [])],
  };
}

/** Suggests the other kind of quotes for the text that ends before the offset and what follows it. */
function quoteInText({ text, offset }: Slip): ReturnType<Explain> {
  const before = text.slice(lineStartOf(text, offset), offset).trimEnd();
  const closed = /(?:^|[\s:,[{])((["'])(?:\\.|(?!\2).)*\2)$/.exec(before.slice(-400))?.[1] ?? '';
  const begins = lineStartOf(text, offset) + before.length - closed.length;
  const line = restOfLine(text, begins);
  const quote = text[begins] ?? '"';
  const last = line.lastIndexOf(quote);
  const inQuotesOf = (from: number, to: number, stop: number) => {
    const inner = text.slice(from, to);
    const other = quote === '"' ? "'" : '"';
    const quoted = inner.includes(other) ? JSON.stringify(inner) : `${other}${inner}${other}`;
    return replacedOnLine(text, [begins, stop], quoted) ?? [];
  };
  const whole = begins + line.trimEnd().length;
  // If no quote follows, the first two are part of the text.
  const candidates =
    begins + last < offset
      ? [inQuotesOf(begins, whole, whole)].flat()
      : [inQuotesOf(begins + 1, begins + last, begins + last + 1)].flat();
  return {
    offset: begins,
    message: `The quoted text ends at its second ${quote}, but more text follows. Put a text that contains ${quote} in the other quotes.`,
    allowed: `' around a text that contains ", and " around one that contains '`,
    candidates,
  };
}

/** Reports the place where the quote opens; the parser reports the end. */
function quoteOpen({ document, text, offset }: Slip): ReturnType<Explain> {
  const begins = lastQuoted(document, (range) => range[0] < offset && range[1] >= offset) ?? offset;
  const quote = text[begins] ?? '"';
  const end = begins + restOfLine(text, begins).length;
  const line = replacedOnLine(text, [end, end], quote);
  return {
    offset: begins,
    message: `The quoted text that begins here has no closing ${quote}.`,
    allowed: `${quote} at its end`,
    candidates: line === undefined ? [] : [line.replace(/ (["'])$/, '$1')],
  };
}

function lastQuoted(document: Document.Parsed, fits: (range: Range) => boolean): number | undefined {
  let begins: number | undefined;
  visit(document, {
    Node(_key, node) {
      if (!isScalar(node) || !node.range) return;
      if (node.type !== Scalar.QUOTE_DOUBLE && node.type !== Scalar.QUOTE_SINGLE) return;
      if (fits(node.range)) begins = node.range[0];
    },
  });
  return begins;
}

/** Returns the line with the text at the offset in quotes. The text ends with its line, or in brackets with the next one. */
function inQuotes({ text, offset }: Slip): string[] {
  const rest = restOfLine(text, offset);
  return [/\s+#.*|\s+$/, /\s*[,}\]].*/].flatMap((extent) => {
    const written = rest.replace(extent, '');
    return (written && replacedOnLine(text, [offset, offset + written.length], JSON.stringify(written))) || [];
  });
}

function restOfLine(text: string, offset: number): string {
  return /^[^\r\n]{0,400}/.exec(text.slice(offset, offset + 400))?.[0] ?? '';
}

function lineAt({ text, offset }: Slip): string {
  return restOfLine(text, lineStartOf(text, offset));
}

/** Returns the indentation of the entry on the line above. */
function indentAbove({ text, offset }: Pick<Slip, 'text' | 'offset'>): string {
  const start = lineStartOf(text, offset);
  const above = text.slice(lineStartOf(text, Math.max(0, start - 1)), start);
  return (/^[\s-]*/.exec(above)?.[0] ?? '').replace(/[\r\n]/g, '').replace(/\S/g, ' ');
}

function sentence(message: string): string {
  const text = printableLine(message).replace(/[^.]$/, '$&.');
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
