/** One account from its first call to its end: everything that a suite of tests does to one, in a random order. */
import type { Stream } from '../../src/random/stream.js';
import { leave, type Json, type SoakClient } from './client.js';

export interface LifeParts {
  readonly client: SoakClient;
  readonly key: string;
  readonly chance: Stream;
  /** An https:// URL at which a receiver listens. */
  readonly receiver: string;
}

/** All shipped ones but `flaky-api`, which holds sockets back in real time. */
const scenarios = [
  'batch-partial-failure',
  'closed-window',
  'happy-path',
  'otp-trouble',
  'rate-limited',
  'recipient-blocked',
  'slow-review',
  'template-paused-midway',
  'template-rejected',
  'webhook-chaos',
  'webhook-down-24h',
];
const allEvents = ['message.received', 'message.status', 'otp.verified', 'template.status'];
/** Magic numbers that hold no socket; the rest of the world behaves. */
const endings = ['00', '01', '03', '05', '06', '07', '20', '21', '25', '30', '50', '60', '62', '70', '80', '10', '11'];
const shortest = 30;

export async function live(parts: LifeParts): Promise<void> {
  const { client, key, chance } = parts;
  const upTo = (n: number) => chance.next() % n;
  const oneOf = <T>(list: readonly T[]): T => list[upTo(list.length)] as T;
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: Json) =>
    client.call(key, method, path, body);
  const phone = () => `+120255501${oneOf(endings)}`;

  await call('PUT', '/_sandbox/clock', { mode: oneOf(['frozen', 'frozen', 'auto', 'real']) });
  const watcher = upTo(2) === 0 ? await client.watch(key, upTo(2) === 0 ? '&after=0' : '') : null;
  const tunnel = upTo(4) === 0 ? await client.watch(key, '&tunnel=1&events=message.status') : null;
  if (upTo(3) === 0) await call('PUT', '/_sandbox/scenario', { name: oneOf(scenarios) });
  const hooks = [
    await call('POST', '/v1/webhooks', { url: parts.receiver, events: allEvents }),
    await call('POST', '/v1/webhooks', { url: 'https://sink.sandbox/soak', events: allEvents }),
  ];
  await template('order', 'utility');
  await template('code', 'authentication');

  const acts: readonly (() => Promise<unknown>)[] = [
    () => call('POST', '/_sandbox/inbound', { from: phone() }),
    () => call('POST', '/v1/messages', { to: phone(), type: 'text', text: 'Hello' }),
    () => call('POST', '/v1/messages', { to: phone(), type: 'template', template: order }),
    () =>
      call('POST', '/v1/messages', {
        to: endings.map((nn) => `+120255501${nn}`),
        type: 'template',
        template: order,
      }),
    sendAndLookUp,
    logIn,
    () => call('POST', '/_sandbox/clock/advance', { by: oneOf(['1s', '1m', '10m', '25h']) }),
    () => call('POST', '/_sandbox/clock/advance', { until: 'idle' }),
    () => call('POST', '/_sandbox/events', { type: oneOf(allEvents) }),
    () =>
      call(
        'GET',
        oneOf(
          ['messages', 'deliveries', 'requests', 'events', 'coverage', 'verdict', 'accounts', 'rules'].map(
            (noun) => `/_sandbox/${noun}`,
          ),
        ),
      ),
    () => call('GET', '/_sandbox/sink/soak/received?limit=5'),
    () => call('GET', '/_sandbox/wait?for=request&timeout=10ms'),
    addAndRemoveRule,
    snapshotAndRestore,
    moveEndpoint,
    () => call('PUT', '/_sandbox/scenario', { name: oneOf(scenarios) }),
    () => call('DELETE', '/_sandbox/scenario'),
    () => call('POST', '/_sandbox/reset', upTo(2) === 0 ? {} : { keep: ['templates', 'webhooks'] }),
    () => client.call(key, 'POST', '/v1/messages', '{"to":'),
    () => call('GET', '/v1/nowhere'),
  ];
  for (let left = shortest + upTo(shortest); left > 0; left -= 1) await oneOf(acts)();

  if (watcher) await leave(watcher, upTo(2) === 0);
  // The account goes while a socket is on it every other time.
  if (tunnel && upTo(2) === 0) await leave(tunnel, true);
  const ended =
    tunnel && tunnel.readyState !== tunnel.CLOSED ? new Promise((resolve) => tunnel.once('close', resolve)) : null;
  await call('DELETE', `/_sandbox/accounts/${encodeURIComponent(key)}`);
  await ended;

  async function template(name: string, category: string): Promise<void> {
    const made = await call('POST', '/v1/templates', { name, category, language: 'en', body: 'Order {{1}} left' });
    await call('POST', `/_sandbox/templates/${String(made['template_id'])}/review`, { decision: 'approved' });
  }

  async function sendAndLookUp(): Promise<void> {
    const sent = await call('POST', '/v1/messages', { to: phone(), type: 'template', template: order });
    if (typeof sent['message_id'] === 'string') await call('GET', `/v1/messages/${sent['message_id']}`);
  }

  async function logIn(): Promise<void> {
    const sent = await call('POST', '/v1/otp/send', { to: phone() });
    if (typeof sent['otp_id'] !== 'string') return;
    await call('POST', '/v1/otp/verify', { otp_id: sent['otp_id'], code: '000000' });
    const known = await call('GET', `/_sandbox/otps/${sent['otp_id']}`);
    if (typeof known['code'] !== 'string') return;
    await call('POST', '/v1/otp/verify', { otp_id: sent['otp_id'], code: known['code'] });
  }

  async function addAndRemoveRule(): Promise<void> {
    const rule = await call('POST', '/_sandbox/rules', {
      when: 'message.send',
      pick: { every: 2 },
      then: { respond: { status: 503, code: 'unavailable' } },
    });
    await call('POST', '/v1/messages', { to: phone(), type: 'template', template: order });
    await call('DELETE', `/_sandbox/rules/${String(rule['id'])}`);
  }

  async function snapshotAndRestore(): Promise<void> {
    const name = `s${upTo(3)}`;
    await call('POST', '/_sandbox/snapshots', { name });
    await call('POST', `/_sandbox/snapshots/${name}/restore`);
    // The last ones are left to go with the account.
    if (upTo(2) === 0) await call('DELETE', `/_sandbox/snapshots/${name}`);
  }

  async function moveEndpoint(): Promise<void> {
    const [first] = hooks;
    await call('DELETE', `/v1/webhooks/${String(first?.['webhook_id'])}`);
    hooks[0] = await call('POST', '/v1/webhooks', { url: parts.receiver, events: [oneOf(allEvents)] });
  }
}

const order = { name: 'order', language: 'en', variables: ['A-17'] };
