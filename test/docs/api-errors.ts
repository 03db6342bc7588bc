/** The cause of each error in openapi.yaml's examples: component of the response, name of the example, call. */
import type { World } from '../support/client.js';
import { newWorld, type Answer, type Refusal } from '../support/client.js';
import { startTestSandbox } from '../support/sandbox.js';
import { maxEndpoints } from '../../src/domain/limits.js';
import { sendRaw } from '../support/raw-http.js';
import { startReceiver } from '../support/receivers.js';
import { CrashDisk } from '../store/crash-disk.js';

export type Cause = () => Promise<Refusal>;

const frozen = { mode: 'frozen', scale: 1, startMs: Date.UTC(2026, 2, 1, 9) } as const;
const to = '+12025550101';

/** Plays a story in an account of its own, at nine in the morning on a frozen clock. */
export async function play<T>(
  work: (world: World) => Promise<T>,
  config: Parameters<typeof startTestSandbox>[0] = {},
  parts: Parameters<typeof startTestSandbox>[1] = {},
): Promise<T> {
  const sandbox = await startTestSandbox({ clock: frozen, ...config }, parts);
  try {
    return await work(newWorld(sandbox, 'shop'));
  } finally {
    // A disk that fails until the end makes the stop fail, too.
    await sandbox.close().catch((error: unknown) => {
      if (!parts.disk) throw error;
    });
  }
}

/** Runs `meanwhile` while a receiver has a request and does not respond; it responds afterwards. */
export async function whileHeld<T>(
  world: World,
  meanwhile: (endpoint: string) => Promise<T>,
  ask: (endpoint: string) => Promise<unknown> = () => world.text(),
): Promise<T> {
  const held: (() => void)[] = [];
  let over = false;
  const receiver = await startReceiver((response) => {
    if (over) response.end();
    else held.push(() => response.end());
  });
  try {
    const { webhook_id: endpoint } = await world.register(receiver.url());
    const asked = receiver.nextRequest();
    void ask(endpoint).catch(() => undefined);
    await asked;
    return await meanwhile(endpoint);
  } finally {
    over = true;
    for (const release of held) release();
    await world.idle();
    await receiver.close();
  }
}

/** The body of the response that a story ends with. */
export function inWorld(...[work, ...more]: Parameters<typeof play<Answer<Refusal>>>): Cause {
  return async () => (await play(work, ...more)).body;
}

const post = (path: string, body: unknown, headers?: Record<string, string>): Cause =>
  inWorld((world) => world.call('POST', path, body, headers));

const order = (template: object) => ({ to, type: 'template', template: { name: 'order_shipped', ...template } });
const wrongNumber = { to: '555', type: 'text', text: 'Hello' };
const login = { category: 'authentication', body: undefined };

/** An account to which a code was sent, with the id of the code. */
const withCode = (work: (world: World, otpId: string) => Promise<Answer<Refusal>>): Cause =>
  inWorld(async (world) => {
    await world.template('login_code', login);
    const { otp_id: otpId } = await world.post<{ otp_id: string }>('/v1/otp/send', { to });
    return work(world, otpId);
  });

/** Bytes on a socket, for requests that no client would send. */
const raw = (lines: readonly string[], parts: Parameters<typeof startTestSandbox>[1] = {}): Cause =>
  inWorld(
    async ({ url }) => {
      const { status, body } = await sendRaw(url, lines.join('\r\n'));
      return { status, headers: new Headers(), body: JSON.parse(body) as Refusal };
    },
    {},
    parts,
  );

/** Makes the same call twice, of which a rule allows one per minute. */
async function tooOften(world: World, hook: string, path: string, body: object): Promise<Answer<Refusal>> {
  await world.post('/_sandbox/rules', { id: 'slow-down', when: hook, then: { limit: '1/m' } });
  await world.call('POST', path, body);
  return world.call('POST', path, body);
}

/** A disk that is full from the second call of the account on. */
export const fullDisk = (method: string, path: string, body: unknown): Cause => {
  const disk = new CrashDisk();
  return inWorld(
    async (world) => {
      await world.call('GET', '/v1/templates');
      disk.before = (operation) => {
        if (operation !== 'write') return;
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      };
      await world.call(method, path, body);
      return world.call(method, path, body);
    },
    { dataDir: '/data' },
    { disk },
  );
};

export const apiErrors: Readonly<Record<string, Cause>> = {
  'ValidationFailed/validation_error': post('/v1/messages', wrongNumber),
  'SendMessageRejected/validation_error': post('/v1/messages', wrongNumber),
  'SendMessageRejected/send_failed': post('/v1/messages', { to, type: 'text', text: 'Hello' }),
  'SendMessageRejected/template_not_approved': inWorld(async (world) => {
    await world.template('order_shipped', {}, false);
    return world.call('POST', '/v1/messages', order({ language: 'en', variables: ['A-1001'] }));
  }),
  'SendMessageRejected/template_variables_mismatch': inWorld(async (world) => {
    await world.template('order_shipped', { body: 'Order {{1}} comes on {{2}}.' });
    return world.call('POST', '/v1/messages', order({ language: 'en', variables: ['A-1001'] }));
  }),
  'SendMessageRejected/undeliverable': inWorld(async (world) => {
    await world.template('order_shipped');
    return world.call('POST', '/v1/messages', {
      ...order({ language: 'en', variables: ['A-1001'] }),
      to: '+12025550130',
    });
  }),
  'SendOtpRejected/validation_error': post('/v1/otp/send', { to: '555' }),
  'SendOtpRejected/no_default_otp_template': post('/v1/otp/send', { to }),
  'SendOtpRejected/template_not_approved': inWorld(async (world) => {
    await world.template('login_code', login, false);
    return world.call('POST', '/v1/otp/send', { to, template: 'login_code' });
  }),
  'SendOtpRejected/template_variables_mismatch': inWorld(async (world) => {
    await world.template('login_code', { ...login, body: '{{1}} is your code, {{2}}.' });
    return world.call('POST', '/v1/otp/send', { to, template: 'login_code' });
  }),
  'SendOtpRejected/undeliverable': inWorld(async (world) => {
    await world.template('login_code', login);
    return world.call('POST', '/v1/otp/send', { to: '+12025550130' });
  }),
  'Unauthorized/unauthorized': inWorld(async ({ url }) => {
    const answer = await fetch(`${url}/v1/messages`, { method: 'POST' });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Refusal };
  }),
  'Forbidden/forbidden': raw(['GET /v1/templates HTTP/1.1', 'Host: shop.example.com', 'Connection: close', '', '']),
  'RequestTimeout/request_timeout': raw(['GET /v1/templates HTTP/1.1', ''], {
    timeouts: { headersMs: 20, requestMs: 20, checkEveryMs: 5 },
  }),
  'ExpectationFailed/expectation_failed': raw([
    'GET /v1/templates HTTP/1.1',
    'Host: localhost',
    'Expect: a-miracle',
    'Connection: close',
    '',
    '',
  ]),
  'HeadersTooLarge/headers_too_large': raw(['GET /v1/templates HTTP/1.1', `X: ${'x'.repeat(20_000)}`, '', '']),
  'RateLimited/limit_reached': inWorld(async (world) => {
    const register = (at: number) =>
      world.call('POST', '/v1/webhooks', { url: `https://sink.sandbox/${at}`, events: ['message.status'] });
    await Promise.all(Array.from({ length: maxEndpoints }, (_none, at) => register(at)));
    return register(maxEndpoints);
  }),
  'NotFound/not_found': inWorld((world) => world.call('GET', '/v1/messages/42')),
  'TemplateNotFound/template_not_found': inWorld(async (world) => {
    await world.template('order_shipped');
    return world.call('POST', '/v1/messages', order({ language: 'de' }));
  }),
  'MethodNotAllowed/method_not_allowed': inWorld((world) => world.call('PUT', '/v1/messages', {})),
  'TemplateExists/template_exists': inWorld(async (world) => {
    await world.template('order_shipped');
    const again = { name: 'order_shipped', category: 'utility', language: 'de', body: 'Unterwegs.' };
    return world.call('POST', '/v1/templates', again);
  }),
  'OtpExpired/otp_expired': withCode(async (world, otpId) => {
    await world.advance('5m');
    return world.call('POST', '/v1/otp/verify', { otp_id: otpId, code: '042042' });
  }),
  'PayloadTooLarge/payload_too_large': post('/v1/messages', ' '.repeat(1_048_577)),
  'UnsupportedMediaType/unsupported_media_type': post('/v1/messages', 'to=1', { 'content-type': 'text/plain' }),
  'RateLimited/rate_limited': inWorld((world) =>
    tooOften(world, 'message.send', '/v1/messages', { to, type: 'text', text: 'Hello' }),
  ),
  'TooManyAttempts/rate_limited': withCode((world, otpId) =>
    tooOften(world, 'otp.verify', '/v1/otp/verify', { otp_id: otpId, code: 'wrong' }),
  ),
  'TooManyAttempts/otp_max_attempts': withCode(async (world, otpId) => {
    for (let wrong = 0; wrong < 5; wrong += 1) await world.post('/v1/otp/verify', { otp_id: otpId, code: 'wrong' });
    return world.call('POST', '/v1/otp/verify', { otp_id: otpId, code: 'wrong' });
  }),
  'InternalError/internal_error': post('/v1/messages', { to: '+12025550142', type: 'text', text: 'Hello' }),
  'SendUnavailable/service_unavailable': post('/v1/messages', {
    ...order({ language: 'en', variables: ['A-1001'] }),
    to: '+12025550141',
  }),
  'SendUnavailable/store_unavailable': fullDisk('POST', '/v1/messages', { to, type: 'text', text: 'Hello' }),
  'StoreUnavailable/store_unavailable': fullDisk('POST', '/v1/webhooks', {
    url: 'https://sink.sandbox/app',
    events: ['message.status'],
  }),
};
