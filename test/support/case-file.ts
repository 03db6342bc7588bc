import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** One request and what its answer has to be. The format is told in test/cases/README.md. */
export interface Step {
  readonly name?: string;
  readonly method: string;
  readonly path: string;
  /** false: no Authorization header; a word: another account of the same row. */
  readonly key?: false | string;
  /** null takes a header away that would be sent otherwise. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: unknown;
  /** Sent as it stands, instead of `body` as JSON. */
  readonly raw?: unknown;
  readonly expect?: Expectation;
  /** Variable → path into the answer's body, such as `items[0].code`. */
  readonly save?: Readonly<Record<string, string>>;
}

export interface Expectation {
  readonly status?: number | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Case {
  readonly name: string;
  readonly steps: readonly Step[];
}

export interface CaseFile {
  readonly file: string;
  readonly name: string;
  readonly given: readonly Step[];
  readonly cases: readonly Case[];
}

const stepKeys = ['name', 'method', 'path', 'key', 'headers', 'body', 'raw', 'expect', 'save'];
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

type Row = Record<string, unknown>;

function asRow(value: unknown, where: string): Row {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${where} must be a mapping`);
  return value as Row;
}

function onlyKeys(row: Row, allowed: readonly string[], where: string): void {
  const unknown = Object.keys(row).find((key) => !allowed.includes(key));
  if (unknown !== undefined) throw new Error(`${where}: unknown key ${unknown}; allowed are ${allowed.join(', ')}`);
}

function readStep(value: unknown, where: string): Step {
  const row = asRow(value, where);
  onlyKeys(row, stepKeys, where);
  if (!methods.includes(String(row.method))) throw new Error(`${where}: method must be one of ${methods.join(', ')}`);
  if (typeof row.path !== 'string' || !row.path.startsWith('/')) throw new Error(`${where}: path must start with /`);
  if ('body' in row && 'raw' in row) throw new Error(`${where}: give body or raw, not both`);
  if (row.key !== undefined && row.key !== false && typeof row.key !== 'string') {
    throw new Error(`${where}: key must be false or a word`);
  }
  if (row.expect !== undefined) {
    const expectation = asRow(row.expect, `${where}: expect`);
    onlyKeys(expectation, ['status', 'headers', 'body'], `${where}: expect`);
    const { status = '2xx' } = expectation;
    if (!/^[1-5](\d\d|xx)$/.test(typeof status === 'number' ? `${status}` : typeof status === 'string' ? status : '')) {
      throw new Error(`${where}: expect.status must be a status such as 200, or a class such as 2xx`);
    }
  }
  return row as unknown as Step;
}

function readSteps(value: unknown, where: string): Step[] {
  if (!Array.isArray(value)) throw new Error(`${where} must be a list of requests`);
  return value.map((step, index) => readStep(step, `${where}[${index}]`));
}

function readCase(value: unknown, where: string): Case {
  const row = asRow(value, where);
  if (typeof row.name !== 'string') throw new Error(`${where}: name is missing`);
  const named = `${where} "${row.name}"`;
  if (!('steps' in row)) {
    if (row.expect === undefined) throw new Error(`${named}: expect is missing`);
    return { name: row.name, steps: [readStep(row, named)] };
  }
  onlyKeys(row, ['name', 'steps'], named);
  const steps = readSteps(row.steps, `${named}: steps`);
  if (!steps.some((step) => step.expect)) throw new Error(`${named}: no step expects anything`);
  return { name: row.name, steps };
}

/** @throws with file, row and what to write instead, when the text is no case file */
export function readCaseFile(file: string, text: string): CaseFile {
  const root = asRow(parse(text), file);
  onlyKeys(root, ['name', 'given', 'cases'], file);
  if (typeof root.name !== 'string') throw new Error(`${file}: name is missing`);
  if (!Array.isArray(root.cases) || root.cases.length === 0) throw new Error(`${file}: cases must be a list of rows`);
  const cases = root.cases.map((row, index) => readCase(row, `${file}: cases[${index}]`));
  const names = cases.map((row) => row.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${file}: two rows are named "${twice}"`);
  return {
    file,
    name: root.name,
    given: root.given === undefined ? [] : readSteps(root.given, `${file}: given`),
    cases,
  };
}

/** All case files of a folder, by name. */
export function readCaseFiles(folder: string): CaseFile[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return files.sort().map((file) => readCaseFile(file, readFileSync(join(folder, file), 'utf8')));
}
