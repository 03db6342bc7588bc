import type { Call } from '../../core/curl.js';
import type { JournalRequest } from '../../core/records.js';

type Fields = Readonly<Record<string, unknown>>;

/** By operationId, as the interface document names them. */
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

/**
 * Returns the body of a request as text. The journal keeps JSON as a value, without its white space; other text is kept
 * as it was sent.
 */
export function bodyText({ headers, body }: JournalRequest['request']): string | null {
  const json = JSON.stringify(body);
  const lengthIs = (text: string) => headers['content-length'] === String(new TextEncoder().encode(text).length);
  // Only the length distinguishes a JSON string from a text, and null from an empty body.
  if (typeof body === 'string') return lengthIs(json) && !lengthIs(body) ? json : body;
  if (body === null || body === undefined) return lengthIs('null') ? 'null' : null;
  return json;
}

export function repeated({ method, path, request }: JournalRequest): Call {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : value.join(', '),
    ]),
  );
  const query = request.query === undefined ? '' : `?${request.query}`;
  return { method, path: path + query, headers, body: bodyText(request) };
}

export function aboutOf({ about, method, path }: JournalRequest): string {
  // A call without a body names its subject at the end of the path.
  if (about === undefined) return method === 'POST' ? '' : path.split('/').slice(3).join('/');
  // The first part of an id is enough to tell one from the next.
  return about.replace(/^https:\/\//, '').replace(/^([0-9a-f]{8})-[0-9a-f-]{27}$/, 'code $1');
}

/** The unusual part of a call in one line; null for a plain success. */
export function resultOf({ result, error, fault }: JournalRequest): string | null {
  return result ?? error ?? fault ?? null;
}

export interface Made {
  readonly title: string;
  readonly place: string;
  readonly path: readonly string[];
}

export function madeBy({ operation, status, request, response }: JournalRequest): Made[] {
  if (status === null || status >= 300 || !response) return [];
  const [asked, answer] = [fieldsOf(request.body), fieldsOf(response.body)];
  const of = (title: string, place: string, ...path: unknown[]): Made[] =>
    path.every((each) => typeof each === 'string') ? [{ title, place, path }] : [];
  const message = (to: unknown, id: unknown) => of(`Message to ${String(to)}`, 'messages', id);
  switch (operation) {
    case 'sendMessage':
      if (!Array.isArray(answer['results'])) return message(asked['to'], answer['message_id']);
      return answer['results'].flatMap((entry) => message(fieldsOf(entry)['to'], fieldsOf(entry)['message_id']));
    case 'sendOtp':
      return of('Code', 'messages', 'codes', answer['otp_id']);
    case 'verifyOtp':
      return of('Code', 'messages', 'codes', asked['otp_id']);
    case 'createTemplate':
      return of('Template', 'templates', answer['template_id']);
    case 'getTemplate':
      return of('Template', 'templates', answer['id']);
    case 'createWebhook':
      return of('Endpoint', 'webhooks', 'endpoints', answer['webhook_id']);
    default:
      return [];
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

export function durationWords(ms: number): string {
  return ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
