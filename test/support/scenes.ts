/** Scenarios for one account, written where they are used, with a frozen clock. */
import type { Sandbox } from '../../src/sandbox.js';
import type { Scenario } from '../../src/language/scenario.js';
import type { Rule } from '../../src/language/rule.js';
import type { ClockSettings } from '../../src/time/account-clock.js';
import { newWorld, type Answer, type Control, type Refusal, type World } from './client.js';
import { holdingReceiver } from './receivers.js';

export const startMs = Date.UTC(2026, 2, 1, 9);
export const frozen: ClockSettings = { mode: 'frozen', scale: 1, startMs };

/** The instant this many milliseconds after the start. */
export const at = (offsetMs: number): string => new Date(startMs + offsetMs).toISOString();

export const minutes = (count: number): number => count * 60_000;
export const hours = (count: number): number => count * 3_600_000;

type Parts = Partial<Omit<Scenario, 'version'>>;

/** The setup of most tests: a template to send, one for codes, a customer with an open window, and a receiver. */
export const usual = {
  templates: [
    { name: 'order_shipped', category: 'utility', language: 'en', body: 'Order {{1}} left' },
    { name: 'login', category: 'authentication', language: 'en' },
  ],
  webhooks: [
    {
      alias: 'app',
      url: 'https://sink.sandbox/app',
      events: ['message.status', 'message.received', 'otp.verified', 'template.status'],
      secret: 'whsec_fixed_for_tests',
    },
  ],
} as const satisfies NonNullable<Parts['given']>;

/** Activates a scenario. */
export function play(world: World, parts: Parts): Promise<Control['ActiveScenario']> {
  return world.put('/_sandbox/scenario', { version: 1, ...parts });
}

/** A new account with the usual setup, and these rules. */
export async function stage(
  sandbox: Pick<Sandbox, 'url'>,
  rules: readonly Rule[] = [],
  parts: Parts = {},
): Promise<World> {
  const world = newWorld(sandbox);
  await play(world, { given: usual, rules: [...rules], ...parts });
  return world;
}

/** Sends a template, whatever the response. */
export function trySend<T = Refusal>(
  world: World,
  to: string | readonly string[],
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  const template = { name: 'order_shipped', language: 'en', variables: ['42'] };
  return world.call<T>('POST', '/v1/messages', { to, type: 'template', template }, headers);
}

export const ruleOf = (answer: Pick<Answer, 'headers'>): string | null => answer.headers.get('x-sandbox-rule');

/** Registers an endpoint whose first attempt is in flight when this resolves; it gets its response with `release`. */
export async function inFlight(world: World, status = 200) {
  const { app, release } = await holdingReceiver(status);
  const { webhook_id } = await world.register(app.url(), ['message.received']);
  const arrived = app.nextRequest();
  await world.inbound('+12025550110');
  await arrived;
  return { app, release, webhook_id };
}

type Called = Control['JournalRequest'];

/** The latest call in the journal. */
export async function latestCall(world: World): Promise<Called> {
  const listed = (await world.items<Called>('/_sandbox/requests')).at(-1);
  if (!listed) throw new Error('the journal is empty');
  return world.get<Called>(`/_sandbox/requests/${listed.id}`);
}

/** Status and offset in milliseconds of each `message.status` event of a customer. */
export async function statusEvents(world: World, to: string): Promise<[unknown, number][]> {
  const events = await world.events('?type=message.status&limit=1000');
  return events
    .filter(({ data }) => (data as { to?: unknown }).to === to)
    .map(({ data, created_at }) => [(data as { status?: unknown }).status, Date.parse(created_at) - startMs]);
}
