/**
 * The dialect: the decisions on open points of the interface document that a user can change, by a YAML file for
 * `--dialect`. The API plane reads nothing else to make them.
 */
import type { Node, YAMLMap } from 'yaml';
import { errorTable, type ErrorCode } from '../domain/errors.js';
import { nearestWord } from '../domain/text.js';
import { isAlias, isMap, isScalar, yaml } from '../domain/yaml.js';

export interface Dialect {
  /** Status of a created template or a registered endpoint. */
  readonly http: { readonly created: 200 | 201 };
  readonly errors: {
    /** `nested`: `{"error": {code, message}}`; `flat`: `{code, message}`. */
    readonly envelope: 'nested' | 'flat';
    /** HTTP statuses that differ from those in the error table. */
    readonly status: Readonly<Partial<Record<ErrorCode, number>>>;
  };
  /**
   * When the last wrong code locks: with `next_call`, it still gets `valid: false` and 0 remaining; with `same_call`,
   * it gets `otp_max_attempts`.
   */
  readonly otp: { readonly lock: 'next_call' | 'same_call' };
  readonly webhooks: {
    /** Whether to send `X-Service-Event`, `-Event-Id`, `-Delivery` and `-Attempt` in addition to the signature. */
    readonly extra_headers: boolean;
    /** Whether a registration that resumes an endpoint delivers only new events, or also held ones. */
    readonly resume: 'new' | 'held';
  };
}

export const defaultDialect: Dialect = {
  http: { created: 200 },
  errors: { envelope: 'nested', status: {} },
  otp: { lock: 'next_call' },
  webhooks: { extra_headers: true, resume: 'new' },
};

type Value = string | number | boolean;

/**
 * The allowed values of each setting, the default first. The keys are the same in the file, in `x-setting` marks and in
 * docs/assumptions.md.
 */
export const dialectSettings: readonly { readonly key: string; readonly allowed: readonly Value[] }[] = [
  { key: 'http.created', allowed: [200, 201] },
  { key: 'errors.envelope', allowed: ['nested', 'flat'] },
  { key: 'otp.lock', allowed: ['next_call', 'same_call'] },
  { key: 'webhooks.extra_headers', allowed: [true, false] },
  { key: 'webhooks.resume', allowed: ['new', 'held'] },
];

/** Stands for one setting per error code in documents, such as `errors.status.otp_expired`. */
export const statusSetting = 'errors.status.CODE';

/** HTTP statuses that an error can have. */
export const statusRange = { least: 400, most: 599 } as const;

/** Every key that a dialect file can have: the settings, and a status for each error code of the API plane. */
export const dialectKeys: readonly string[] = [
  ...dialectSettings.map(({ key }) => key),
  ...Object.entries(errorTable).flatMap(([code, { plane }]) => (plane === 'control' ? [] : `errors.status.${code}`)),
];

/** Keys that hold further keys. */
const sections = ['http', 'errors', 'errors.status', 'otp', 'webhooks'];

/** One problem in a dialect file. Line and column count from 1. */
export interface DialectProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Thrown for an invalid dialect file, with all of its problems in the order of the file. */
export class DialectError extends Error {
  override readonly name = 'DialectError';
  constructor(readonly problems: readonly DialectProblem[]) {
    super(problems.map((p) => `${p.file}:${p.line}:${p.column}: ${p.message}`).join('\n'));
  }
}

/**
 * Reads a dialect file: YAML 1.2, with nested or dotted keys. Every omitted key keeps its default.
 * @param file the name to show in problems
 * @throws DialectError with every problem of the file
 */
export function parseDialect(text: string, file: string): Dialect {
  const lines = new (yaml().LineCounter)();
  const document = yaml().parseDocument<Node>(text, { lineCounter: lines, version: '1.2', prettyErrors: false });
  const problems: DialectProblem[] = [];
  const report = (offset: number, message: string) => {
    const { line, col } = lines.linePos(offset);
    problems.push({ file, line, column: col, message });
  };
  for (const error of document.errors) report(error.pos[0], `invalid YAML: ${error.message}`);
  const found = new Map<string, Value>();
  const root = document.contents;
  if (isMap<Node, Node | null>(root)) readMap(root, '', found, report);
  else if (root !== null && !(isScalar(root) && root.value === null)) {
    report(0, `a dialect is a mapping such as "http.created: 201"; found ${shown(root)}.`);
  }
  if (problems.length > 0) {
    throw new DialectError(problems.sort((a, b) => a.line - b.line || a.column - b.column));
  }
  const dialect = structuredClone(defaultDialect) as unknown as Record<string, Record<string, unknown>>;
  for (const [key, value] of found) {
    const [section = '', name = '', code] = key.split('.');
    const settings = dialect[section] ?? {};
    if (code === undefined) settings[name] = value;
    else settings['status'] = { ...(settings['status'] as object), [code]: value };
  }
  return dialect as unknown as Dialect;
}

type Report = (offset: number, message: string) => void;

function readMap(map: YAMLMap<Node, Node | null>, prefix: string, found: Map<string, Value>, report: Report): void {
  for (const { key, value } of map.items) {
    const at = key.range?.[0] ?? 0;
    const path = prefix + (isScalar(key) ? String(key.value) : shown(key));
    if (sections.includes(path)) {
      if (isMap<Node, Node | null>(value)) readMap(value, `${path}.`, found, report);
      else report(at, `${path} contains further settings; found ${shown(value)}. Write ${path}: { … }.`);
    } else if (!dialectKeys.includes(path)) {
      const meant = nearestWord(path, dialectKeys);
      const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
      report(at, `unknown setting ${path}.${hint} Known are ${dialectKeys.join(', ')}.`);
    } else if (found.has(path)) {
      report(at, `${path} is set twice, nested and dotted; keep one of them.`);
    } else {
      const scalar = isScalar(value) ? value.value : undefined;
      const allowed = objection(path, scalar);
      if (allowed === null) found.set(path, scalar as Value);
      else report(value?.range?.[0] ?? at, `${path}: found ${shown(value)}; allowed: ${allowed}.`);
    }
  }
}

/** Describes the allowed values for a key; null if the value is valid. */
function objection(key: string, value: unknown): string | null {
  const setting = dialectSettings.find((known) => known.key === key);
  if (setting?.allowed.includes(value as Value)) return null;
  if (setting) return setting.allowed.map((allowed) => JSON.stringify(allowed)).join(' or ');
  const { least, most } = statusRange;
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
  return fits ? null : `a whole number from ${least} to ${most}`;
}

/** Formats a value as its author wrote it: text is quoted, so that "201" and 201 differ. */
function shown(node: Node | null): string {
  if (isScalar(node)) return JSON.stringify(node.value ?? null);
  if (isAlias(node)) return `the alias *${node.source}`;
  return isMap(node) ? 'a mapping' : 'a list';
}
