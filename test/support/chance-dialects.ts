/** Dialects made by chance, in the words that services use, and changes to plant in one. */
import fc from 'fast-check';
import type { DialectFile } from '../../src/dialect/index.js';

const word = (...words: string[]) => fc.constantFrom(...words);
const time = word('', ':unix', ':unix_ms');

const errors = fc
  .record({
    code: word('code', 'error_code', 'errorCode', 'key'),
    details: word('details', 'errors', 'fields', 'problems'),
    nested: word('', 'error', 'fault'),
    flag: fc.constantFrom({}, { status: 'error' }, { ok: false }, { http: '{status}' }),
    optional: word('?', ''),
    invalid: word('INVALID_REQUEST', 'BadInput', 'validation_error'),
    denied: word('AUTH_FAILED', 'NoAccess', 'unauthorized'),
    taken: fc.constantFrom(400, 409, 422),
  })
  .map(({ code, details, nested, flag, optional, invalid, denied, taken }) => {
    const inner = { [code]: '{code}', message: '{message}', [details]: `{details${optional}}` };
    return {
      shape: nested === '' ? { ...flag, ...inner } : { ...flag, [nested]: inner },
      codes: { validation_error: invalid, unauthorized: denied },
      status: { template_exists: taken },
    };
  });

const events = fc
  .record({
    id: word('id', 'event_id', 'ref'),
    type: word('type', 'event', 'topic'),
    at: word('created_at', 'ts', 'created'),
    data: word('data', 'payload', 'object'),
    form: time,
    inner: time,
    when: word('timestamp', 'at', 'time'),
    to: word('to', 'recipient', 'phone'),
    from: word('from', 'sender', 'customer'),
    text: word('text', 'body'),
    error: word('error', 'reason', 'failure'),
    optional: word('?', ''),
    isFlat: fc.boolean(),
    isNested: fc.boolean(),
  })
  .map((w) => {
    const at = `{timestamp${w.inner}}`;
    const message = { id: '{message_id}', kind: '{type}', [w.text]: `{text?}`, media_url: '{media_url?}' };
    const data = {
      'message.received': {
        [w.from]: '{from}',
        profile_name: '{profile_name}',
        ...(w.isNested
          ? { message }
          : { message_id: '{message_id}', type: '{type}', [w.text]: '{text?}', url: '{media_url?}' }),
        [w.when]: at,
      },
      'message.status': {
        ...{ message_id: '{message_id}', [w.to]: '{to}', status: '{status}' },
        ...{ [w.error]: `{error${w.optional}}`, [w.when]: at },
      },
      'otp.verified': { otp_id: '{otp_id}', [w.to]: '{to}', [w.when]: `{verified_at${w.inner}}` },
      'template.status': {
        template_id: '{template_id}',
        name: '{name}',
        status: '{status}',
        rejection_reason: '{rejection_reason}',
      },
    };
    const head = { [w.id]: '{event.id}', [`${w.type}_name`]: '{event.type}', sent: `{event.created_at${w.form}}` };
    const envelope = {
      [w.id]: '{id}',
      [w.type]: '{type}',
      [w.at]: `{created_at${w.form}}`,
      version: 2,
      [w.data]: '{data}',
    };
    if (!w.isFlat) return { shape: envelope, data };
    const flat = Object.entries(data).map(([type, each]) => [type, { ...head, ...each }]);
    return { shape: '{data}', data: Object.fromEntries(flat) as typeof data };
  });

export const chanceFile: fc.Arbitrary<DialectFile> = fc
  .record({
    created: fc.constantFrom(200 as const, 201 as const),
    deleted: fc.constantFrom<NonNullable<NonNullable<DialectFile['http']>['deleted']>>(
      { status: 204 },
      { status: 200, body: { deleted: true } },
      { status: 202, body: { webhook: { id: '{id}' } } },
    ),
    errors,
    events,
    header: word('X-Event-Type', 'X-Topic', 'X-Service-Event'),
    try: fc.constantFrom(null, 'X-Attempt', 'X-Retry-Count'),
    failure: fc.constantFrom(
      { code: '{channel_code}', title: '{message}' },
      { error_code: '{code}', message: '{message}', number: '{channel_code}' },
    ),
    entry: fc.constantFrom(
      { to: '{to}', ok: false, reason: '{error.message}' },
      { to: '{to}', ok: '{ok}', error: { code: '{error.code}', message: '{error.message}' } },
    ),
    list: fc.constantFrom('{items}', { data: '{items}', total: '{count}' }, { webhooks: '{items}', has_more: false }),
    changed: word('updated_at', 'last_modified', 'updated'),
    form: word('YYYY-MM-DDTHH:mm:ss.sssZ', 'YYYY-MM-DDTHH:mm:ssZ', 'YYYY-MM-DDTHH:mm:ss.ssssss+00:00'),
  })
  .map((w): DialectFile => ({
    http: { created: w.created, deleted: w.deleted },
    errors: w.errors,
    webhooks: { shape: w.events.shape, headers: { event: w.header, delivery: null, attempt: w.try } },
    events: w.events.data,
    shapes: {
      'message.error': w.failure,
      'batch.failed': w.entry,
      'webhooks.list': w.list,
      'webhooks.item': {
        ...{ id: '{id}', url: '{url}', events: '{events}', status: '{status}', pause_reason: '{pause_reason?}' },
        ...{ created_at: '{created_at}', [w.changed]: '{updated_at}' },
      },
      'ids.timestamp': w.form as 'YYYY-MM-DDTHH:mm:ssZ',
    },
  }));

type Mapping = Record<string, never>;
const more = (template: unknown) => ({ ...(template as Mapping), added: true });

/** Each returns the file with one change. */
export const changes: Readonly<Record<string, (file: DialectFile) => DialectFile>> = {
  'http.created': (file) => ({ ...file, http: { ...file.http, created: file.http?.created === 201 ? 200 : 201 } }),
  'http.deleted': (file) => ({ ...file, http: { ...file.http, deleted: { status: 200, body: { gone: 'yes' } } } }),
  'errors.shape': (file) => ({ ...file, errors: { ...file.errors, shape: more(file.errors?.shape) } }),
  'errors.status': (file) => ({
    ...file,
    errors: { ...file.errors, status: { ...file.errors?.status, otp_expired: 418 } },
  }),
  'errors.codes': (file) => ({
    ...file,
    errors: { ...file.errors, codes: { ...file.errors?.codes, not_found: 'NOWHERE' } },
  }),
  'webhooks.headers': (file) => ({
    ...file,
    webhooks: { ...file.webhooks, headers: { ...file.webhooks?.headers, id: 'X-Other-Id' } },
  }),
  ...Object.fromEntries(
    (['message.received', 'message.status', 'otp.verified', 'template.status'] as const).map((type) => [
      `events.${type}`,
      (file: DialectFile) => ({ ...file, events: { ...file.events, [type]: more(file.events?.[type]) } }),
    ]),
  ),
  ...Object.fromEntries(
    (['message.error', 'batch.failed', 'webhooks.item'] as const).map((name) => [
      `shapes.${name}`,
      (file: DialectFile) => ({ ...file, shapes: { ...file.shapes, [name]: more(file.shapes?.[name]) } }),
    ]),
  ),
  'shapes.webhooks.list': (file) => ({ ...file, shapes: { ...file.shapes, 'webhooks.list': { entries: '{items}' } } }),
  'shapes.ids.timestamp': (file) => ({
    ...file,
    shapes: { ...file.shapes, 'ids.timestamp': 'YYYY-MM-DDTHH:mm:ss.sss+00:00' },
  }),
};
