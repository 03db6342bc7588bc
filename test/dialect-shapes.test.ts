/** Shapes: what a file may say, and that events keep their bytes whatever the dialect is. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import {
  defaultDialect,
  DialectError,
  dialectOf,
  dialectSchema,
  differencesOf,
  parseDialect,
} from '../src/dialect/index.js';
import { wireOf } from '../src/dialect/wire.js';
import { verifySignature } from '../src/webhooks/sign.js';
import { newWorld } from './support/client.js';
import { closing } from './support/closing.js';
import { startTestSandbox } from './support/sandbox.js';
import { frozen } from './support/scenes.js';
import { eventInOurWords, strange } from './support/strange-dialect.js';

function problemsOf(text: string): string[] {
  try {
    parseDialect(text, 'd.yaml');
  } catch (error) {
    if (!(error instanceof DialectError)) throw error;
    return error.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
  }
  return [];
}

/** The example of the documentation. */
const example = `
http: { created: 201, deleted: { status: 200, body: { deleted: true } } }
errors:
  status: { otp_expired: 400 }
  codes: { validation_error: INVALID_REQUEST, unauthorized: AUTH_FAILED }
  shape: { status: error, error_code: "{code}", message: "{message}", errors: "{details}" }
webhooks:
  headers: { event: X-Event-Type, id: X-Event-Id, delivery: null, attempt: null }
  shape: { event: "{type}", id: "{id}", ts: "{created_at:unix}", payload: "{data}" }
events:
  message.status: { message_id: "{message_id}", recipient: "{to}", status: "{status}", error: "{error?}" }
  message.received: { from: "{from}", name: "{profile_name}", message: { id: "{message_id}", type: "{type}", body: "{text?}" } }
shapes:
  message.error: { code: "{channel_code}", title: "{message}" }
  batch.failed: { to: "{to}", ok: false, reason: "{error.message}" }
  webhooks.item: { id: "{id}", url: "{url}", events: "{events}", status: "{status}", pause_reason: "{pause_reason?}", created: "{created_at}", last_modified: "{updated_at}" }
  webhooks.list: "{items}"
  ids: { timestamp: "YYYY-MM-DDTHH:mm:ssZ" }
`;

describe('a shape', () => {
  it('says every form', () => {
    const dialect = parseDialect(example, 'd.yaml');
    expect(differencesOf(dialect)).toEqual([
      'http.created',
      'http.deleted.status',
      'http.deleted.body',
      'errors.shape',
      'errors.status.otp_expired',
      'errors.codes.validation_error',
      'errors.codes.unauthorized',
      'webhooks.headers.event',
      'webhooks.headers.id',
      'webhooks.headers.delivery',
      'webhooks.headers.attempt',
      'webhooks.shape',
      'events.message.received',
      'events.message.status',
      'shapes.message.error',
      'shapes.batch.failed',
      'shapes.webhooks.item',
      'shapes.webhooks.list',
      'shapes.ids.timestamp',
    ]);
    const event = {
      ...({ id: 'evt_1', type: 'message.status', createdAtMs: 1_700_000_000_999 } as const),
      data: {
        ...{ message_id: 'm', wamid: 'w', to: '+12025550101', type: 'text', status: 'failed' },
        error: { code: 'undeliverable', message: 'No.', channel_code: 131026 },
        timestamp: '2023-11-14T22:13:20.999Z',
      },
    };
    expect(JSON.parse(wireOf(dialect).event?.(event) ?? '')).toEqual({
      ...{ event: 'message.status', id: 'evt_1', ts: 1_700_000_000 },
      payload: {
        ...{ message_id: 'm', recipient: '+12025550101', status: 'failed', error: { code: 131026, title: 'No.' } },
      },
    });
    const sent = { ...event, data: { ...event.data, status: 'sent', error: null } };
    expect(wireOf(dialect).event?.(sent)).toContain('"status":"sent"}');
    expect(wireOf(dialect).error({ code: 'unauthorized', message: 'Say "{message}".' }, 401)).toEqual({
      ...{ status: 'error', error_code: 'AUTH_FAILED', message: 'Say "{message}".', errors: null },
    });
  });

  it('has texts around placeholders, braces, and the fields of the event in the data', () => {
    const { event } = wireOf(
      dialectOf({
        webhooks: { shape: '{data}' },
        events: { 'otp.verified': { topic: 'v1/{event.type}', '{': '{{x}}', at: '{event.created_at:unix_ms}' } },
      }),
    );
    const fact = { id: 'evt_1', type: 'otp.verified', createdAtMs: 5, data: { otp_id: 'o', to: 't', verified_at: '' } };
    expect(JSON.parse(event?.(fact as never) ?? '')).toEqual({ topic: 'v1/otp.verified', '{': '{x}', at: 5 });
  });

  it.each<readonly [text: string, problem: string]>([
    [
      'errors.shape: { message: "{message}", code: "{cod}" }',
      '1:45 errors.shape.code: unknown name {cod}. Did you mean {code}? Known here are code, message, details, status.',
    ],
    [
      'errors.shape: { message: "{message}" }',
      '1:15 errors.shape: loses code, which section 7 of the interface document names; add {code}.',
    ],
    [
      'errors.shape: { text: "{message}", code: "{code}" }',
      '1:15 errors.shape: loses message, which section 7 of the interface document names; add message: "{message}".',
    ],
    [
      'errors.shape: { message: {message}, code: "{code}" }',
      '1:26 errors.shape.message: {message} without quotes is a mapping; write "{message}".',
    ],
    [
      'errors.codes.otp_expired: EXPIRED',
      '1:1 errors.codes.otp_expired: section 7 of the interface document names this code, so it cannot be renamed.',
    ],
    [
      'webhooks.shape: { id: "{id}", data: "{data}" }\nwebhooks.headers.event: null',
      '1:1 webhooks.shape: loses type, which section 6 of the interface document names; add {type}, {event.type} in each of events, or a header in webhooks.headers.event.',
    ],
    [
      'webhooks.shape: { id: "{id:unix}", data: "{data}", t: "{created_at:days}" }',
      '1:23 webhooks.shape.id: {id:unix} is not a time, so it has no form :unix.',
    ],
    [
      'webhooks.headers.event: X-Service-Signature',
      '1:25 webhooks.headers.event: found "X-Service-Signature"; allowed: the name of a header (1 to 100 letters, digits or hyphens) other than X-Service-Signature (section 5), Content-Type, traceparent and the headers of HTTP, or null to send none.',
    ],
    ['webhooks.headers: { event: X-A, id: x-a }', '1:33 webhooks.headers.id: another header is named x-a, too.'],
    [
      'events.message.status: { status: "{status}" }',
      '1:24 events.message.status: loses message_id, which section 4.1 of the interface document names; add {message_id}.',
    ],
    [
      'shapes.batch.failed: { to: "{to}", reason: "{error.message}" }',
      '1:22 shapes.batch.failed: loses ok, which section 2.1 of the interface document names; add ok: "{ok}".',
    ],
    [
      'shapes.webhooks.item: { secret: "{secret}" }',
      '1:33 shapes.webhooks.item.secret: unknown name {secret}. Known here are id, url, events, status, pause_reason, created_at, updated_at.',
    ],
    [
      'shapes.webhooks.list: { data: [] }',
      '1:23 shapes.webhooks.list: loses items, which section 4.10 of the interface document names; add {items}, as a value without other text.',
    ],
    ['shapes.ids.timestamp: unix', '1:23 shapes.ids.timestamp: found "unix"; allowed: "YYYY-MM-DDTHH:mm:ss.sssZ" or'],
    ['http.deleted.body: {}', '1:1 http.deleted.body: 204 has no body; set http.deleted.status to 200.'],
    [
      'errors.envelope: flat\nerrors.shape: { message: "{message}", code: "{code}" }',
      '1:1 errors.envelope and errors.shape are both set; keep errors.shape.',
    ],
    [
      'webhooks: { extra_headers: false, headers: { id: X-Id } }',
      '1:46 webhooks.headers.id names a header, but webhooks.extra_headers is false; keep webhooks.headers.',
    ],
    [
      'shapes.webhooks.item: { id: "{id}", url: "{url}", events: "{events}", status: "{status}", pause_reason: "{pause_reason?}" }',
      '1:23 shapes.webhooks.item: loses the timestamps, which section 4.10 of the interface document names; add {created_at} or {updated_at}.',
    ],
    [
      'shapes.webhooks.item: { at: "{updated_at}", more: { secret: x } }',
      '1:61 shapes.webhooks.item.more.secret: section 4.10 of the interface document excludes this key; leave it out.',
    ],
    [
      'shapes.webhooks.list: { x: "n {items}" }',
      '1:23 shapes.webhooks.list: loses items, which section 4.10 of the interface document names; add {items}, as a value without other text.',
    ],
    [
      'webhooks.shape: { type: "{type}", x: "n {data}" }',
      '1:17 webhooks.shape: loses data, which section 6 of the interface document names; add {data}, as a value without other text.',
    ],
    ...['{timestamp', 'at {timestamp', 'timestamp}', '{{timestamp}', '{timestamp}}', '{', 'a } b'].map(
      (text): [string, string] => [
        `events.otp.verified: { t: "${text}" }`,
        `1:27 events.otp.verified.t: must be a text with a pair of braces around each placeholder; found "${text}"; close each {name}, or write `,
      ],
    ),
    [
      'events.otp.verified: { "{to": 1 }',
      '1:31 events.otp.verified.{to: a key cannot have a placeholder; found "{to".',
    ],
    ...['iso', 'unix', 'unix_ms'].map((form): [string, string] => [
      `events.otp.verified: { t: "{to:${form}}" }`,
      `1:27 events.otp.verified.t: {to:${form}} is not a time, so it has no form :${form}.`,
    ]),
    ['events.otp.verified: { t: .nan }', '1:27 events.otp.verified.t: NaN cannot be written in JSON; use a text.'],
    ...['traceparent', 'TraceState', 'content-type', 'user-agent', 'content-length', 'host', 'connection', 'date'].map(
      (name): [string, string] => [
        `webhooks.headers.event: ${name}`,
        `1:25 webhooks.headers.event: found "${name}"; allowed: the name of a header (1 to 100`,
      ],
    ),
    ...['X Bad', '', 'ä', 'x'.repeat(101), 'a:b'].map((name): [string, string] => [
      `webhooks.headers.event: "${name}"`,
      `1:25 webhooks.headers.event: found "${name}"; allowed: the name of a header (1 to 100`,
    ]),
    [
      'errors.codes: { validation_error: send_failed }',
      '1:17 errors.codes.validation_error: send_failed is also the code of send_failed, so nobody could tell them apart; use another.',
    ],
    [
      'errors.codes: { validation_error: BAD, unauthorized: BAD }',
      '1:40 errors.codes.unauthorized: BAD is also the code of validation_error, so nobody could tell them apart; use another.',
    ],
    [
      `errors.shape: { a: &a "{code}", message: "{message}", all: [${'*a, '.repeat(101)}] }`,
      'errors.shape: has more than 100 aliases; write the values out.',
    ],
    [
      'errors.shape: &a { code: "{code}", x: *a }',
      '1:39 errors.shape: the alias *a is inside its own anchor; write the value out.',
    ],
    ['errors.shape: { code: *none }', '1:23 errors.shape: the alias *none has no anchor &none before it.'],
    [
      `errors.shape: { code: ${'['.repeat(200)}1${']'.repeat(200)} }`,
      'errors.shape: is nested deeper than 100 levels; flatten it.',
    ],
    [`http: ${'['.repeat(20000)}`, 'the file is nested deeper than 100 levels; flatten it.'],
    ['webhooks.shape: [1]', '1:17 webhooks.shape: must be a mapping or "{data}"; found an array of 1.'],
    [
      'events.otp.verified: { "{to}": 1 }',
      '1:32 events.otp.verified.{to}: a key cannot have a placeholder; found "{to}".',
    ],
  ])('is refused with its place: %s', (text, problem) => {
    expect(problemsOf(text)).toContainEqual(expect.stringContaining(problem));
  });

  it('takes two codes that change places, and braces that are written twice', () => {
    const codes = 'errors.codes: { validation_error: unauthorized, unauthorized: validation_error }';
    expect(problemsOf(`${codes}\nevents.otp.verified: { "{": "{{{to}}} }}" }`)).toEqual([]);
  });

  it('is refused with what it loses beside a name that is unknown, and with what contradicts beside other errors', () => {
    const text = `
http: { creatd: 1, deleted: { status: 204, body: { a: "{ix}" } } }
errors: { envelope: flat, shape: { cod: "{cod}", x: "{zzzzzz}" }, codes: { otp_expired: X, send_failed: "a b" } }
webhooks: { extra_headers: false, headers: { event: "X Bad" }, shape: { d: "{dat}", e: "{wrong_name}" } }
`;
    expect(problemsOf(text).map((each) => each.replace(/ Known .*|;.*| Did .*|\.$/, ''))).toEqual([
      '2:9 unknown setting http.creatd.',
      '2:44 http.deleted.body: 204 has no body',
      '2:55 http.deleted.body.a: unknown name {ix}.',
      '3:11 errors.envelope and errors.shape are both set',
      '3:34 errors.shape: loses message, which section 7 of the interface document names',
      '3:41 errors.shape.cod: unknown name {cod}.',
      '3:53 errors.shape.x: unknown name {zzzzzz}.',
      '3:76 errors.codes.otp_expired: section 7 of the interface document names this code, so it cannot be renamed',
      '3:92 errors.codes.send_failed: section 7 of the interface document names this code, so it cannot be renamed',
      '3:105 errors.codes.send_failed: found "a b"',
      '4:46 webhooks.headers.event names a header, but webhooks.extra_headers is false',
      '4:53 webhooks.headers.event: found "X Bad"',
      '4:64 webhooks.shape: loses type, which section 6 of the interface document names',
      '4:76 webhooks.shape.d: unknown name {dat}.',
      '4:88 webhooks.shape.e: unknown name {wrong_name}.',
    ]);
  });

  it('is refused with all that is wrong at once', () => {
    const text = 'errors.shape: { a: "{x}", b: "{y}" }\nshapes:\n  webhooks.item: { id: 5 }\n  ids.timestamp: no';
    expect(problemsOf(text).map((each) => each.split(' ')[0])).toEqual([
      '1:15',
      '1:15',
      '1:20',
      '1:30',
      ...Array<string>(6).fill('3:18'),
      '4:18',
    ]);
  });
});

it('has a JSON Schema, which accepts the example and no other key', () => {
  const validate = new Ajv({ strict: false }).compile(dialectSchema());
  const { shapes: own, ...file } = parse(example) as Record<string, object>;
  const { ids: _ids, ...shapes } = own as Record<string, object>;
  expect([validate({ ...file, shapes }), validate.errors]).toEqual([true, null]);
  expect(validate({ errors: { shap: {} } })).toBe(false);
  expect(validate({ http: { created: 202 } })).toBe(false);
});

describe('a sandbox', () => {
  it('says in its info what differs', async () => {
    const plain = newWorld(closing(await startTestSandbox()));
    expect(await plain.get('/_sandbox/info')).toMatchObject({ dialect: [] });
    const flat = newWorld(closing(await startTestSandbox({ dialect: dialectOf({ errors: { envelope: 'flat' } }) })));
    expect(await flat.get('/_sandbox/info')).toMatchObject({ dialect: ['errors.envelope'] });
  });

  it('sends the same signed bytes on every attempt, even after a restart with another dialect', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dialect-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const open = async (dialect: typeof strange) => {
      const sandbox = await startTestSandbox({ clock: frozen, dataDir: folder, dialect });
      return { sandbox, world: newWorld(sandbox, 'shop') };
    };
    const { sandbox, world: first } = await open(strange);
    const { secret } = await first.post<{ secret: string }>('/v1/webhooks', {
      url: 'https://sink.sandbox/app',
      events: ['message.received'],
    });
    await first.post('/_sandbox/inbound', { from: '+12025550101', text: 'Hi' });
    await first.advance('2s');
    const bodies = async (world: typeof first) =>
      (await world.items<{ body: string; headers: Record<string, string> }>('/_sandbox/sink/app/received')).map(
        ({ body, headers }) => {
          expect(verifySignature(secret, body, headers['x-service-signature'])).toBe(true);
          return body;
        },
      );
    const [sent = ''] = await bodies(first);
    const [event] = await first.items<{ id: string; type: string; data: object; created_at: string }>(
      '/_sandbox/events',
    );
    const { id, type, data, created_at } = event!;
    // The log has our names; the bytes have those of the dialect.
    expect(JSON.parse(eventInOurWords(sent))).toEqual({ id, type, created_at, data });
    expect(JSON.parse(sent)).toHaveProperty('payload');
    await sandbox.close();
    const { sandbox: later, world: second } = await open(defaultDialect);
    const [delivery] = await second.items<{ id: string; payload: string }>('/_sandbox/deliveries');
    expect(delivery?.payload).toBe(sent);
    await second.post(`/_sandbox/deliveries/${delivery!.id}/redeliver`);
    await second.advance('2s');
    const all = await bodies(second);
    expect(all.length).toBeGreaterThan(1);
    expect(new Set(all)).toEqual(new Set([sent]));
    await later.close();
  });
});
