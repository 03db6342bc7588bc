/** Details of a call: its body as sent, the call to repeat it, and the records that it created. */
import type { Call } from '../../core/snippets.js';
import { counted } from '../../core/time-words.js';
import type { JournalRequest } from '../../core/records.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the body of a request as text. The journal keeps JSON as a value, without its white space; other text is kept as
 * it was sent.
 */
export function bodyText({ headers, body }: JournalRequest['request']): string | null {
  const json = JSON.stringify(body);
  const lengthIs = (text: string) => headers['content-length'] === String(new TextEncoder().encode(text).length);
  // Only the length distinguishes a JSON string from a text, and null from an empty body.
  if (typeof body === 'string') return lengthIs(json) && !lengthIs(body) ? json : body;
  if (body === null || body === undefined) return lengthIs('null') ? 'null' : null;
  return json;
}

/** Returns the number of bytes that were not kept because they were not JSON; 0 for any other call. */
export function lostBytes(request: JournalRequest['request']): number {
  return bodyText(request) === null ? Number(request.headers['content-length'] ?? 0) : 0;
}

/** Returns a recorded call in a form that can be sent again. */
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

/** Returns the recipient or the name that a call was about. */
export function subjectOf({ request: { body }, path }: JournalRequest): string {
  const { to, name, url, otp_id: otp } = fieldsOf(body);
  if (Array.isArray(to)) return counted(to.length, 'recipient');
  const first = [to, otp, name, url].find((each) => typeof each === 'string');
  if (first !== undefined) return first;
  const last = path.split('/').slice(3).join('/');
  return decoded(last);
}

/** Returns why a call was rejected, in the words of the response; null for other calls. */
export function rejectionOf({ error, response }: JournalRequest): string | null {
  if (error === undefined) return null;
  const { message } = fieldsOf(fieldsOf(response?.body)['error']);
  return typeof message === 'string' ? message : error;
}

/** Returns `1 of 3 failed` for a batch with failures; null for other calls. */
export function batchWords({ response }: JournalRequest): string | null {
  const { results } = fieldsOf(response?.body);
  if (!Array.isArray(results)) return null;
  const failed = results.filter((each) => fieldsOf(each)['ok'] === false).length;
  return failed === 0 ? null : `${failed} of ${results.length} failed`;
}

/** A record that a call created, and where it is shown. */
export interface Made {
  readonly noun: string;
  readonly title: string;
  readonly panel: string;
  readonly path: readonly string[];
  /** A link to its story; null if it has none. */
  readonly story: readonly string[] | null;
}

/** Returns the records that an accepted call created: messages, a code, a template or an endpoint. */
export function madeBy({ operation, status, request, response }: JournalRequest): Made[] {
  if (status === null || status >= 300 || !response) return [];
  const [asked, answer] = [fieldsOf(request.body), fieldsOf(response.body)];
  const of = (noun: string, panel: string, ...path: unknown[]): Made[] => {
    const texts = path.filter((each) => typeof each === 'string');
    return texts.length === path.length
      ? [{ noun, title: texts.at(-1) ?? '', panel, path: texts, story: noun === 'code' ? ['code', ...texts] : null }]
      : [];
  };
  switch (operation) {
    case 'sendMessage':
      if (!Array.isArray(answer['results'])) return message(asked['to'], answer['message_id']);
      return answer['results'].flatMap((entry) => message(fieldsOf(entry)['to'], fieldsOf(entry)['message_id']));
    case 'sendOtp':
      return of('code', 'codes', answer['otp_id']);
    case 'verifyOtp':
      return of('code', 'codes', asked['otp_id']);
    case 'createTemplate':
      return of('template', 'templates', answer['template_id']);
    case 'getTemplate':
      return of('template', 'templates', answer['id']);
    case 'createWebhook':
      return of('endpoint', 'webhooks', 'endpoints', answer['webhook_id']);
    default:
      return [];
  }
}

function message(to: unknown, id: unknown): Made[] {
  if (typeof to !== 'string' || typeof id !== 'string') return [];
  return [{ noun: 'message', title: to, panel: 'handset', path: [to, id], story: ['message', id] }];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Faults that replace the response; all others break the connection. */
const answers: Readonly<Record<string, string>> = {
  respond: 'A rule or header set the response; the service did not process the call.',
  limit: 'A limit rejected the call: its rate is exceeded.',
};

/** Describes the effect of a fault on a call. */
export function faultWords(fault: string): string {
  return answers[fault] ?? 'A fault broke the connection.';
}

export function isSocketFault(fault: string): boolean {
  return !(fault in answers);
}
