/** YAML 1.2 core, one document. */
import { isMap, isScalar, LineCounter, parseAllDocuments, type Document, type Scalar } from 'yaml';
import { longestScenario } from '../domain/limits.js';
import { printableLine } from '../domain/text.js';
import type { FoundProblem } from '../language/problems.js';
import { curlyQuotes, foreignFile } from './foreign.js';
import { explainFault } from './yaml-fault.js';

export interface YamlSource {
  readonly file: string;
  readonly text: string;
  readonly document: Document.Parsed;
  readonly place: (offset: number) => { line: number; column: number };
  readonly isJson: boolean;
}

/** Explaining an error takes time; more of them are only counted. */
const mostExplained = 100;

/** All syntax errors are reported at once; a document with one is not read further. */
export function parseYaml(raw: string, file: string): { source: YamlSource } | { problems: FoundProblem[] } {
  // In YAML, a carriage return alone ends a line too; the parser does not support that.
  const text = raw.replace(/\r(?!\n)/g, '\n');
  const counter = new LineCounter();
  const place = (offset: number) => {
    const { line, col } = counter.linePos(Math.max(0, Math.min(offset, text.length)));
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problem = (offset: number, code: string, message: string, found: string, allowed: string): FoundProblem => {
    return { file, ...place(offset), path: '', code, message, found, allowed };
  };
  const only = (...given: Parameters<typeof problem>) => ({ problems: [problem(...given)] });
  const undecoded = text.indexOf('\uFFFD');

  if (text.length > longestScenario) {
    const message = `The scenario is too long. Split it, and name the parts in "extends".`;
    const limit = `at most ${longestScenario} characters`;
    return only(0, 'document_too_large', message, `${text.length} characters`, limit);
  }
  const documents = documentsOf(text, counter);
  const tooDeep = only(0, 'too_deep', 'The scenario is nested too deeply.', 'lists in lists', 'fewer levels');
  if (documents === null) return tooDeep;
  if (undecoded !== -1) {
    const message = 'This character cannot be read, because the file is not UTF-8.';
    const allowed = 'a file saved as UTF-8; write U+FFFD as "\\uFFFD"';
    return only(undecoded, 'not_utf8', message, excerpt(text, undecoded), allowed);
  }
  const curly = curlyQuotes(text).map(({ offset, edit }): FoundProblem => {
    const message = 'These quotes do not quote a text in YAML: only straight ones do.';
    return { ...problem(offset, 'yaml_curly_quotes', message, excerpt(text, offset), `" or '`), edits: [edit] };
  });
  const [document, second] = documents;
  if (document === undefined) {
    return only(0, 'empty_document', 'The scenario is empty.', 'nothing', 'a mapping with version: 1');
  }
  const keys = isMap(document.contents) ? document.contents.items.map(({ key }) => keyText(key) ?? '') : [];
  const foreign = foreignFile(text, keys);
  if (foreign !== undefined) {
    const { offset, code, message, allowed, example } = foreign;
    return {
      problems: [{ ...problem(offset, code, message, excerpt(text, offset), allowed), ...(example && { example }) }],
    };
  }
  if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) return tooDeep;
  // One error often breaks several rules of the syntax, and all that follows the end of the document that it causes.
  const all = [...document.errors, ...document.warnings];
  const faults = uniqueBy(all, ({ pos, message }) => `${place(pos[0]).line} ${message}`).filter(
    ({ message }, index) => index === 0 || !message.includes('in YAML stream'),
  );
  const problems = faults.map((fault, index): FoundProblem => {
    if (index >= mostExplained) return problem(fault.pos[0], 'yaml', fault.message, '', '');
    const { offset, message, allowed, edits } = explainFault(fault, text);
    return { ...problem(offset, `yaml_${fault.code.toLowerCase()}`, message, excerpt(text, offset), allowed), edits };
  });
  if (second !== undefined) {
    const message = 'A scenario file has one document; a second one begins here.';
    problems.push(problem(second.range[0], 'several_documents', message, '---', 'one document'));
  }
  const found = curly.length > 0 ? [...curly, ...problems] : problems;
  if (found.length > 0) return { problems: uniqueBy(found, ({ line }) => line) };
  return { source: { file, text, document, place, isJson: isJson(text) } };
}

/** Null for a text that nests deeper than the parser can follow. */
function documentsOf(text: string, lineCounter: LineCounter): Document.Parsed[] | null {
  try {
    const options = { version: '1.2', schema: 'core', uniqueKeys: false, prettyErrors: false, lineCounter } as const;
    return [...parseAllDocuments(text, options)];
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function isJson(text: string): boolean {
  try {
    return text.trimStart().startsWith('{') && JSON.parse(text) !== null;
  } catch {
    return false;
  }
}

function uniqueBy<P>(faults: readonly P[], keyOf: (fault: P) => unknown): P[] {
  const seen = new Set<unknown>();
  return faults.filter((fault) => !seen.has(keyOf(fault)) && seen.add(keyOf(fault)));
}

function excerpt(text: string, offset: number): string {
  const line = text.slice(offset, offset + 40).split(/[\r\n]/)[0] ?? '';
  return line === '' ? 'the end of the line' : printableLine(line);
}

/** `+12025550123`, `012345` and `no` keep their characters. */
export function scalarText(scalar: Scalar): string {
  return scalar.source ?? String(scalar.value);
}

/** Undefined for a list, a mapping or an alias. */
export function keyText(key: unknown): string | undefined {
  return isScalar(key) ? scalarText(key) : undefined;
}
