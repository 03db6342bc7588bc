/**
 * Parses text to YAML nodes, safely: YAML 1.2 core, one document, bounded size and depth.
 */
import { Composer, isDocument, LineCounter, Parser } from 'yaml';
import type { CST, Document } from 'yaml';
import type { FoundProblem } from './corrected-line.js';
import { jsonFault } from './json-text.js';
import { longestDocument } from './scenario.js';
import { printableLine } from '../../domain/printable.js';
import { mostProblems } from './problems.js';
import { MAX_DEPTH, MAX_LEXEMES, MAX_VALUES, structureFault } from './structure-limits.js';
import { explainFault } from './yaml-fault.js';

export interface YamlSource {
  readonly file: string;
  readonly text: string;
  readonly document: Document.Parsed;
  readonly place: (offset: number) => { line: number; column: number };
  /** Returns whether the whole text is JSON, too. Evaluated on demand. */
  readonly isJson: () => boolean;
}

/** Problems, and the number of those that are not listed. */
export interface Faulty {
  readonly problems: FoundProblem[];
  readonly unlisted?: number;
}

/** Parses without interpreting. All syntax errors are reported at once; a document with one is not read further. */
export function parseYamlSource(raw: string, file: string): { source: YamlSource } | Faulty {
  // In YAML, a carriage return alone ends a line too; the parser does not support that.
  const text = raw.replace(/\r(?!\n)/g, '\n');
  const counter = new LineCounter();
  const place = (offset: number) => {
    const { line, col } = counter.linePos(Math.max(0, Math.min(offset, text.length)));
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problem = (offset: number, code: string, message: string, found: string, allowed?: string): FoundProblem => ({
    file,
    ...place(offset),
    path: '',
    code,
    message,
    found,
    ...(allowed !== undefined && { allowed }),
  });

  if (text.length > longestDocument) {
    const message = `The scenario is too long. Split it, and name the parts in "extends".`;
    const limit = `at most ${longestDocument} characters`;
    return { problems: [problem(0, 'document_too_large', message, `${text.length} characters`, limit)] };
  }
  const excess = structureFault(text);
  // The parser counts lines, but the text is not parsed.
  if (excess) for (const { index, 0: end } of text.matchAll(/^|\n/g)) counter.addNewLine(index + end.length);
  if (excess?.code === 'too_many_values') {
    const message = 'The scenario has too many values.';
    const allowed = `at most ${MAX_VALUES} values`;
    return {
      problems: [
        problem(excess.offset, excess.code, message, `more than ${MAX_LEXEMES} texts and punctuation marks`, allowed),
      ],
    };
  }
  const tokens = excess ? [] : [...new Parser(counter.addNewLine).parse(text)];
  const undecoded = text.indexOf('\uFFFD');
  if (undecoded !== -1) {
    const message = 'This character cannot be read, because the file is not UTF-8.';
    const allowed = 'a file saved as UTF-8; write U+FFFD as "\\uFFFD"';
    return { problems: [problem(undecoded, 'not_utf8', message, excerpt(text, undecoded), allowed)] };
  }
  const tooDeep = excess?.offset ?? findTooDeep(tokens);
  if (tooDeep !== undefined) {
    const message = `The scenario is nested too deeply here.`;
    const limit = `at most ${MAX_DEPTH} levels of lists and mappings`;
    return { problems: [problem(tooDeep, 'too_deep', message, `more than ${MAX_DEPTH} levels`, limit)] };
  }
  const options = {
    version: '1.2',
    schema: 'core',
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: counter,
  } as const;
  const documents = [...new Composer(options).compose(tokens)].filter((document) => isDocument(document));
  const [document] = documents;
  if (document === undefined) {
    return {
      problems: [problem(0, 'empty_document', 'The scenario is empty.', 'nothing', 'a mapping with version: 1')],
    };
  }
  const second = documents[1];
  const found = [...document.errors, ...document.warnings];
  const unlisted = Math.max(0, found.length - mostProblems);
  const faults = found.slice(0, mostProblems).map((fault): FoundProblem => {
    const { offset, message, allowed, candidates } = explainFault(fault, document, text);
    return {
      ...problem(offset, `yaml_${fault.code.toLowerCase()}`, message, excerpt(text, offset), allowed),
      candidates,
    };
  });
  if (second !== undefined) {
    const message = 'A scenario file has one document; a second one begins here.';
    faults.push(problem(second.range[0], 'several_documents', message, '---', 'one document'));
  }
  if (document.directives.yaml.explicit === true && document.directives.yaml.version !== '1.2') {
    const message = 'Scenarios are YAML 1.2, where "no" and "012345" are texts.';
    const found = `%YAML ${document.directives.yaml.version}`;
    faults.push(problem(text.indexOf('%YAML'), 'yaml_version', message, found, 'no %YAML line, or %YAML 1.2'));
  }
  const noJson = /\.json$/i.test(file) ? jsonFault(text) : undefined;
  if (faults.length === 0 && noJson !== undefined) {
    faults.push(
      problem(noJson.offset, 'json_syntax', noJson.message, excerpt(text, noJson.offset), 'JSON, or a .yaml file'),
    );
  }
  if (faults.length > 0) return { problems: oncePerLine(faults), unlisted };
  let json: boolean | undefined;
  const isJson = () => (json ??= text.trimStart().startsWith('{') && jsonFault(text) === undefined);
  return { source: { file, text, document, place, isJson } };
}

/** Keeps the first problem of each line: one error often breaks several rules of the syntax. */
function oncePerLine(problems: readonly FoundProblem[]): FoundProblem[] {
  const seen = new Set<number>();
  return problems.filter(({ line }) => !seen.has(line) && seen.add(line));
}

/** Returns the offset of the first token nested beyond the limit. Walks without recursion, because the depth is unknown. */
function findTooDeep(tokens: readonly CST.Token[]): number | undefined {
  const open: { token: CST.Token | null | undefined; depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  let first: number | undefined;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (token === null || token === undefined) continue;
    if (token.type === 'document') open.push({ token: token.value, depth });
    if (!('items' in token)) continue;
    if (depth >= MAX_DEPTH) {
      first = Math.min(first ?? Infinity, token.offset);
      continue;
    }
    for (const item of token.items) {
      open.push({ token: item.value, depth: depth + 1 });
      if ('key' in item) open.push({ token: item.key, depth: depth + 1 });
    }
  }
  return first;
}

function excerpt(text: string, offset: number): string {
  const line = text.slice(offset, offset + 40).split(/[\r\n]/)[0] ?? '';
  return line === '' ? 'the end of the line' : printableLine(line);
}
