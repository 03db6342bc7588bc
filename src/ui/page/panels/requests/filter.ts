/** The filter of the request journal. Each call is matched once, however often the list is rendered. */
import type { JournalRequest } from '../../core/records.js';

export interface Wanted {
  /** Text anywhere in the call; case is ignored. */
  readonly q: string;
  /** An operationId, or `none` for a path without an operation. */
  readonly operation: string;
  /** `2xx`, `4xx`, `5xx`, or `none` without a response. */
  readonly status: string;
  /** Part of a path. With `*` for any text, it must match the whole path. */
  readonly path: string;
}

export const everything: Wanted = { q: '', operation: '', status: '', path: '' };

/** Operations by their names in `openapi.yaml`, with their labels. */
export const operations: readonly (readonly [string, string])[] = [
  ['sendMessage', 'Send a message'],
  ['getMessage', 'Look up a message'],
  ['sendOtp', 'Send a code'],
  ['verifyOtp', 'Verify a code'],
  ['createTemplate', 'Submit a template'],
  ['getTemplate', 'Look up a template'],
  ['listTemplates', 'List templates'],
  ['createWebhook', 'Register an endpoint'],
  ['listWebhooks', 'List endpoints'],
  ['deleteWebhook', 'Remove an endpoint'],
];

const operationWords = new Map(operations);

export function operationTitle(operation: string | null): string {
  return operation === null ? 'No operation' : (operationWords.get(operation) ?? operation);
}

export function wantedOf(query: Readonly<Record<string, string>>): Wanted {
  const { q = '', operation = '', status = '', path = '' } = query;
  return { q, operation, status, path };
}

export function isFiltered(wanted: Wanted): boolean {
  return Object.values(wanted).some((each: string) => each.trim() !== '');
}

export class RequestFilter {
  readonly #wanted: Wanted;
  readonly #path: (path: string) => boolean;
  readonly #judged = new WeakMap<JournalRequest, boolean>();

  constructor(wanted: Wanted) {
    this.#wanted = { ...wanted, q: wanted.q.trim().toLowerCase() };
    this.#path = pathTest(wanted.path.trim());
  }

  /** Returns matching calls, newest first. */
  chosen(requests: readonly JournalRequest[]): JournalRequest[] {
    const chosen: JournalRequest[] = [];
    for (let at = requests.length - 1; at >= 0; at -= 1) {
      const request = requests[at];
      if (request && this.#fits(request)) chosen.push(request);
    }
    return chosen;
  }

  #fits(request: JournalRequest): boolean {
    const known = this.#judged.get(request);
    if (known !== undefined) return known;
    const fits = this.#judge(request);
    this.#judged.set(request, fits);
    return fits;
  }

  #judge(request: JournalRequest): boolean {
    const { q, operation, status } = this.#wanted;
    if (operation !== '' && (request.operation ?? 'none') !== operation) return false;
    if (status !== '' && classOf(request.status) !== status) return false;
    return this.#path(request.path) && (q === '' || holds(request, q));
  }
}

/** Returns a status class such as `4xx`, or `none` without a response. */
function classOf(status: number | null): string {
  return status === null ? 'none' : `${Math.floor(status / 100)}xx`;
}

function pathTest(wanted: string): (path: string) => boolean {
  if (!wanted.includes('*')) return (path) => path.includes(wanted);
  const parts = wanted.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  const form = new RegExp(`^${parts.join('.*')}$`, 's');
  return (path) => form.test(path);
}

/**
 * Searches the call as JSON.
 * @param wanted in lower case
 */
function holds(request: JournalRequest, wanted: string): boolean {
  const quotedWord = JSON.stringify(wanted).slice(1, -1);
  return JSON.stringify(request).toLowerCase().includes(quotedWord);
}
