/** Parses text to YAML nodes: YAML 1.2 core, one document. */
import { isScalar, LineCounter, parseAllDocuments, type Document, type Scalar } from 'yaml';
import { longestScenario } from '../../domain/limits.js';
import { printableLine } from '../../domain/text.js';
import { mostProblems, type FoundProblem } from '../schema/problems.js';
import { explainFault } from './yaml-fault.js';

export interface YamlSource {
  readonly file: string;
  readonly text: string;
  readonly document: Document.Parsed;
  readonly place: (offset: number) => { line: number; column: number };
  /** Whether the whole text is JSON, too. */
  readonly isJson: boolean;
}

/** Problems, and the number of those that are not listed. */
export interface Faulty {
  readonly problems: FoundProblem[];
  readonly unlisted?: number;
}

/** Parses without interpreting. All syntax errors are reported at once; a document with one is not read further. */
export function parseYaml(raw: string, file: string): { source: YamlSource } | Faulty {
  // In YAML, a carriage return alone ends a line too; the parser does not support that.
  const text = raw.replace(/\r(?!\n)/g, '\n');
  const counter = new LineCounter();
  const place = (offset: number) => {
    const { line, col } = counter.linePos(Math.max(0, Math.min(offset, text.length)));
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problem = (offset: number, code: string, message: string, found: string, allowed: string): FoundProblem => ({
    file,
    ...place(offset),
    path: '',
    code,
    message,
    found,
    allowed,
  });
  const only = (...given: Parameters<typeof problem>): Faulty => ({ problems: [problem(...given)] });
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
  const [document, second] = documents;
  if (document === undefined) {
    return only(0, 'empty_document', 'The scenario is empty.', 'nothing', 'a mapping with version: 1');
  }
  if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) return tooDeep;
  const found = [...document.errors, ...document.warnings];
  const unlisted = Math.max(0, found.length - mostProblems);
  const faults = found.slice(0, mostProblems).map((fault): FoundProblem => {
    const { offset, message, allowed, edits } = explainFault(fault, text);
    return { ...problem(offset, `yaml_${fault.code.toLowerCase()}`, message, excerpt(text, offset), allowed), edits };
  });
  if (second !== undefined) {
    const message = 'A scenario file has one document; a second one begins here.';
    faults.push(problem(second.range[0], 'several_documents', message, '---', 'one document'));
  }
  if (document.directives.yaml.explicit === true && document.directives.yaml.version !== '1.2') {
    const message = 'Scenarios are YAML 1.2, where "no" and "012345" are texts.';
    const written = `%YAML ${document.directives.yaml.version}`;
    faults.push(problem(text.indexOf('%YAML'), 'yaml_version', message, written, 'no %YAML line, or %YAML 1.2'));
  }
  // Other tools read a .json file too.
  const reason = faults.length === 0 && /\.json$/i.test(file) ? jsonFault(text) : undefined;
  if (reason !== undefined) {
    const offset = Number(/position (\d+)/.exec(reason)?.[1] ?? 0);
    const message = `Invalid JSON: ${reason.replace(/\.?$/, '.')}`;
    faults.push(problem(offset, 'json_syntax', message, excerpt(text, offset), 'JSON, or a .yaml file'));
  }
  if (faults.length > 0) return { problems: oncePerLine(faults), unlisted };
  const isJson = text.trimStart().startsWith('{') && jsonFault(text) === undefined;
  return { source: { file, text, document, place, isJson } };
}

/** Returns null for a text that nests deeper than the parser can follow. */
function documentsOf(text: string, lineCounter: LineCounter): Document.Parsed[] | null {
  try {
    const options = { version: '1.2', schema: 'core', uniqueKeys: false, prettyErrors: false, lineCounter } as const;
    return [...parseAllDocuments(text, options)];
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Keeps the first problem of each line: one error often breaks several rules of the syntax. */
function oncePerLine(problems: readonly FoundProblem[]): FoundProblem[] {
  const seen = new Set<number>();
  return problems.filter(({ line }) => !seen.has(line) && seen.add(line));
}

function excerpt(text: string, offset: number): string {
  const line = text.slice(offset, offset + 40).split(/[\r\n]/)[0] ?? '';
  return line === '' ? 'the end of the line' : printableLine(line);
}

/** Returns a scalar as written, without quotes: `+12025550123`, `012345` and `no` keep their characters. */
export function scalarText(scalar: Scalar): string {
  return scalar.source ?? String(scalar.value);
}

/** Returns the characters of a key; undefined for a list, a mapping or an alias. */
export function keyText(key: unknown): string | undefined {
  return isScalar(key) ? scalarText(key) : undefined;
}

export function joinPath(path: string, key: string): string {
  if (!/^[A-Za-z_][\w-]*$/.test(key)) return `${path}[${JSON.stringify(key).slice(0, 80)}]`;
  return path === '' ? key : `${path}.${key}`;
}
