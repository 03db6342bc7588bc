import type { Case, CaseFile, Expectation, Step } from './case-file.js';
import { mismatches } from './case-match.js';
import type { DocumentCheck } from './document-check.js';

interface Checked {
  readonly url: string;
  readonly check: DocumentCheck;
  /** Turns a response of another dialect into one of the default dialect, in whose words the rows are. */
  readonly read?: (
    method: string,
    path: string,
    seen: { status: number; text: string },
  ) => { status: number; text: string };
}

type Variables = Map<string, unknown>;

/** Inserts saved values, as `${id}` in a text, long texts (`{$repeat: [text, times]}`) and lists (`{$list: [item, times]}`). */
export function expand(value: unknown, variables: ReadonlyMap<string, unknown>): unknown {
  if (typeof value === 'string') {
    const whole = /^\$\{(\w+)\}$/.exec(value)?.[1];
    const lookUp = (name: string): unknown => {
      if (!variables.has(name)) throw new Error(`\${${name}} was never saved`);
      return variables.get(name);
    };
    if (whole !== undefined) return lookUp(whole);
    return value.replace(/\$\{(\w+)\}/g, (_, name: string) => String(lookUp(name)));
  }
  if (Array.isArray(value)) return value.map((item) => expand(item, variables));
  if (typeof value !== 'object' || value === null) return value;
  const { $repeat: text, $list: list } = value as { $repeat?: [string, number]; $list?: [unknown, number] };
  if (text) return text[0].repeat(text[1]);
  if (list) return Array<unknown>(list[1]).fill(list[0]);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expand(item, variables)]));
}

function valueAt(body: unknown, path: string): unknown {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
  let here = body;
  for (const key of keys) here = (here as Record<string, unknown> | null | undefined)?.[key];
  if (here === undefined) throw new Error(`nothing to save at ${path} in ${JSON.stringify(body)}`);
  return here;
}

function callOf(method: string, step: Step, account: string, variables: Variables): RequestInit {
  const headers = new Headers();
  if (step.key !== false) headers.set('authorization', `Bearer ${step.key ? `${account}-${step.key}` : account}`);
  const init: RequestInit = { method, headers, redirect: 'manual' };
  if ('body' in step || 'raw' in step) {
    headers.set('content-type', 'application/json');
    const text = 'raw' in step ? String(expand(step.raw, variables)) : JSON.stringify(expand(step.body, variables));
    // Bytes instead of text: fetch would add a content type to a text.
    init.body = new TextEncoder().encode(text);
  }
  for (const [name, value] of Object.entries(step.headers ?? {})) {
    if (value === null) headers.delete(name);
    else headers.set(name, String(expand(value, variables)));
  }
  return init;
}

function judge(expected: Expectation, status: number, headers: Headers, body: unknown, variables: Variables): string[] {
  const wanted = String(expected.status ?? '2xx');
  const found = String(status);
  const off =
    wanted === found || wanted === `${found.charAt(0)}xx` ? [] : [`status: expected ${wanted}, found ${found}`];
  const headersOff = Object.entries(expected.headers ?? {}).flatMap(([name, value]) =>
    mismatches(expand(value, variables), headers.get(name) ?? undefined, `header ${name}`),
  );
  const bodyOff = 'body' in expected ? mismatches(expand(expected.body, variables), body) : [];
  return [...off, ...headersOff, ...bodyOff];
}

async function runStep(
  { url, check, read = (_method, _path, seen) => seen }: Checked,
  account: string,
  step: Step,
  variables: Variables,
): Promise<void> {
  const [method = '', path = ''] = String(expand(step.request, variables)).split(/ (.*)/);
  const response = await fetch(url + path, callOf(method, step, account, variables));
  const sent = await response.text();
  check.response(method, path, { status: response.status, headers: response.headers, text: sent });
  const { status, text } = read(method, path, { status: response.status, text: sent });
  const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '');
  const body: unknown = text === '' ? undefined : isJson ? JSON.parse(text) : text;
  const off = judge(step.expect ?? {}, status, response.headers, body, variables);
  if (off.length > 0) {
    throw new Error(`${method} ${path}\n  ${off.join('\n  ')}\n  answer: ${status} ${text.slice(0, 1000)}`);
  }
  for (const [name, at] of Object.entries(step.save ?? {})) variables.set(name, valueAt(body, at));
}

/**
 * Plays one row in a new account: the given records first, then its steps in order.
 * @param account the API key; `${key}` in the row
 * @throws at the first step with an unexpected response
 */
export async function runCase(sandbox: Checked, account: string, file: CaseFile, row: Case): Promise<void> {
  const variables: Variables = new Map([['key', account]]);
  for (const step of [...file.given, ...row.steps]) await runStep(sandbox, account, step, variables);
}
