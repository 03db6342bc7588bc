/** Opens recorded calls in forms, to edit them. */
import type { Template } from '../../core/records.js';
import { headersOf, type Call } from '../../core/snippets.js';
import type { Values } from './form.js';
import { forms } from './forms.js';

/** Returns a form that repeats a call exactly, and its values; if no other form can, the raw one. */
export function formFor(call: Call, templates: readonly Template[]): readonly [id: string, values: Values] {
  const plain = clientHeaders(call).every(([name]) => name === 'authorization' || name === 'content-type');
  const body = plain ? parsed(call.body) : null;
  for (const { id, read, defaults, call: make } of body && call.method === 'POST' ? forms : []) {
    const values = read ? { ...defaults, ...read(body as Record<string, unknown>) } : null;
    const made = values && make(values, templates);
    if (!made || typeof made === 'string' || made.path !== call.path) continue;
    if (sorted(parsed(made.body)) === sorted(body)) return [id, values];
  }
  return ['raw', rawOf(call)];
}

export function rawOf(call: Call): Values {
  return {
    method: call.method,
    path: call.path,
    headers: clientHeaders(call)
      .map(([name, value]) => `${name}: ${name === 'authorization' ? value.replace(/\S*\*{3}$/, '***') : value}`)
      .join('\n'),
    body: call.body ?? '',
  };
}

/** Headers that the application chose, which neither its HTTP client nor a browser adds. */
function clientHeaders(call: Call): [string, string][] {
  const written = new Set(headersOf(call, '').map(({ name }) => name));
  return Object.entries(call.headers).filter(([name]) => written.has(name) && !/^(?:user-agent|accept)$/.test(name));
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

/** Returns JSON that does not depend on the order of properties. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
