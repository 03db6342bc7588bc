/** A dialect that changes every form, and how a test reads it in our words again. */
import { type Dialect, defaultDialect, dialectOf, type DialectFile } from '../../src/dialect/index.js';
import { isObject, type Json } from './openapi-document.js';

export const strangeFile: DialectFile = {
  http: { deleted: { status: 200, body: { deleted: true, ref: '{id}' } } },
  errors: {
    shape: { status: 'error', error_code: '{code}', message: '{message}', problems: '{details?}', http: '{status}' },
    status: { otp_expired: 400, template_exists: 422 },
    codes: { validation_error: 'INVALID_REQUEST', unauthorized: 'AUTH_FAILED', undeliverable: 'NOT_REACHABLE' },
  },
  webhooks: {
    headers: { event: 'X-Event-Type', id: 'X-Event-Id', delivery: null, attempt: 'X-Try' },
    shape: { event: '{type}', ref: '{id}', ts: '{created_at:unix_ms}', payload: ['{data}'] },
  },
  events: {
    'message.received': {
      sender: { number: '{from}', name: '{profile_name}' },
      receiver: '{to}',
      message: {
        id: '{message_id}',
        wa: '{wamid}',
        kind: '{type}',
        body: '{text?}',
        file: '{media_url?}',
        button: '{interactive?}',
      },
      at: '{timestamp:unix_ms}',
    },
    'message.status': {
      message_id: '{message_id}',
      wa: '{wamid}',
      recipient: '{to}',
      kind: '{type}',
      status: '{status}',
      reason: '{error?}',
      at: '{timestamp:unix_ms}',
    },
    'otp.verified': { otp: '{otp_id}', phone: '{to}', at: '{verified_at:unix_ms}' },
    'template.status': {
      template: { id: '{template_id}', name: '{name}', language: '{language}', category: '{category}' },
      status: '{status}',
      why: '{rejection_reason}',
      at: '{timestamp:unix_ms}',
    },
  },
  shapes: {
    'message.error': { number: '{channel_code}', title: '{message}', key: '{code}' },
    'batch.failed': {
      to: '{to}',
      ok: false,
      reason: '{error.message}',
      key: '{error.code}',
      number: '{error.channel_code}',
    },
    'webhooks.item': {
      id: '{id}',
      url: '{url}',
      events: '{events}',
      status: '{status}',
      pause_reason: '{pause_reason?}',
      created: '{created_at}',
      changed: '{updated_at}',
    },
    'webhooks.list': '{items}',
    'ids.timestamp': 'YYYY-MM-DDTHH:mm:ss.ssssss+00:00',
  },
};

export const strange = dialectOf(strangeFile);

const ours: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(strangeFile.errors?.codes ?? {}).map(([code, theirs]) => [theirs, code]),
);
const codeOf = (code: unknown): unknown => ours[String(code)] ?? code;
const statuses: Readonly<Record<string, number>> = { otp_expired: 410, template_exists: 409 };

const failure = (error: unknown): unknown =>
  isObject(error)
    ? { code: codeOf(error['key']), message: error['title'], channel_code: error['number'] }
    : (error ?? null);

const instant = (ms: unknown): string => new Date(ms as number).toISOString();

/** Texts such as `2030-01-01T09:00:00.000000+00:00`, wherever they are. */
const inOurForm = (text: string): string =>
  text.replace(/"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})000\+00:00"/g, '"$1Z"');

const dataOf: Readonly<Record<string, (data: Json) => Json>> = {
  'message.received': ({ sender, receiver, message, at }) => {
    const { number, name } = sender as Json;
    const { id, wa, kind, body, file, button } = message as Json;
    return {
      ...{ message_id: id, wamid: wa, from: number, to: receiver, type: kind },
      ...(body !== undefined && { text: body }),
      ...(file !== undefined && { media_url: file }),
      ...(button !== undefined && { interactive: button }),
      ...{ profile_name: name, timestamp: instant(at) },
    };
  },
  'message.status': ({ message_id, wa, recipient, kind, status, reason, at }) => ({
    ...{ message_id, wamid: wa, to: recipient, type: kind, status, error: failure(reason), timestamp: instant(at) },
  }),
  'otp.verified': ({ otp, phone, at }) => ({ otp_id: otp, to: phone, verified_at: instant(at) }),
  'template.status': ({ template, status, why, at }) => {
    const { id, ...about } = template as Json;
    return { template_id: id, ...about, status, rejection_reason: why, timestamp: instant(at) };
  },
};

/** The text of an event as the default dialect has it. */
export function eventInOurWords(text: string): string {
  const { event, ref, ts, payload } = JSON.parse(text) as { event: string; ref: string; ts: number; payload: Json[] };
  const data = dataOf[event.replace('.not_known_yet', '')]?.(payload[0] ?? {});
  return JSON.stringify({ id: ref, type: event, created_at: instant(ts), data });
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

interface Request {
  readonly headers: Headers;
  readonly body: string;
}

const ourHeaders = {
  'x-event-type': 'x-service-event',
  'x-event-id': 'x-service-event-id',
  'x-try': 'x-service-attempt',
};

/** A request to a receiver as the default dialect has it. The strange one has no header for the delivery. */
export function requestInOurWords<R extends Request>(request: R): R {
  const { headers, body } = request;
  const named = Object.entries(ourHeaders).map(([theirs, own]) => [own, headers[theirs]]);
  return {
    ...request,
    headers: { ...headers, ...(Object.fromEntries(named) as Headers) },
    body: body.startsWith('{"event"') ? eventInOurWords(body) : body,
  };
}

/** For tests that hold in any dialect: `describe.each(dialects)`. */
export const dialects: readonly {
  readonly name: string;
  readonly dialect: Dialect;
  readonly inOurs: typeof requestInOurWords;
}[] = [
  { name: 'default', dialect: defaultDialect, inOurs: (request) => request },
  { name: 'strange', dialect: strange, inOurs: requestInOurWords },
];

interface Seen {
  readonly status: number;
  readonly text: string;
}

/** A response of the API plane as the default dialect has it. */
export function inOurWords(method: string, path: string, { status, text }: Seen): Seen {
  if (!/^\/v1(\/|$)/.test(path)) return { status, text };
  if (text === '' || (!text.startsWith('{"') && !text.startsWith('['))) return { status, text };
  const body = JSON.parse(inOurForm(text)) as Json | Json[];
  const as = (value: unknown, other = status): Seen => ({ status: other, text: JSON.stringify(value) });
  if (Array.isArray(body))
    return as({
      webhooks: body.map(({ created, changed, ...each }) => ({ ...each, created_at: created, updated_at: changed })),
    });
  if ('error_code' in body) {
    const code = codeOf(body['error_code']);
    const { message, problems } = body;
    const usual = statuses[String(code)];
    return as({ error: { code, message, ...(problems !== undefined && { details: problems }) } }, usual ?? status);
  }
  if (method === 'DELETE') return { status: 204, text: '' };
  if ('results' in body) {
    const results = (body['results'] as Json[]).map(({ reason, key, number, ...entry }) =>
      entry['ok'] === true ? entry : { ...entry, error: { code: codeOf(key), message: reason, channel_code: number } },
    );
    return as({ ...body, results });
  }
  if ('error' in body) return as({ ...body, error: failure(body['error']) });
  return as(body, status === 201 ? 200 : status);
}
