import { isDeepStrictEqual } from 'node:util';
import { pause } from '../../time/system-clock.js';
import type { components } from '../../generated/control.js';

type Schemas = components['schemas'];
export type JournalRequest = Schemas['JournalRequest'];
export type Message = Schemas['Message'];

export interface ExploredAccount {
  readonly apiKey: string;
  readonly clock: { now(): Promise<string>; get(): Promise<Schemas['Clock']> };
  readonly rules: { list(): Promise<Schemas['Rule'][]> };
  readonly templates: { list(): Promise<Schemas['Template'][]> };
  readonly webhooks: { list(): Promise<Schemas['Endpoint'][]> };
  messages(filter: { readonly direction: 'outbound' }): Promise<Message[]>;
  otps(): Promise<Schemas['Otp'][]>;
  deliveries(): Promise<Schemas['Delivery'][]>;
  idle(timeout: string): Promise<unknown>;
  call<T>(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object): Promise<T>;
}

/** Time limit for attempts that are in flight at the end. */
const lastAttempts = '2s';

/** Returns the `to` of a send: one customer, or several. */
export const toOf = (body: unknown): unknown => (body as { readonly to?: unknown } | null)?.to;

/** Returns the `otp_id` of the check of a code. */
export const otpIdOf = (body: unknown): unknown => (body as { readonly otp_id?: unknown } | null)?.otp_id;

export function isRepetition(first: JournalRequest, { seq, method, path, request: { body } }: JournalRequest): boolean {
  return seq > first.seq && isDeepStrictEqual([method, path, body], [first.method, first.path, first.request.body]);
}

/** Calls that were read: they do not change, but a try is read again and again. */
const known = new WeakMap<ExploredAccount, Map<string, JournalRequest>>();

/** Bodies are omitted. More calls than these are made in a loop. */
async function callsOf(account: ExploredAccount): Promise<Pick<JournalRequest, 'id' | 'seq'>[]> {
  return (await account.call<{ items: JournalRequest[] }>('GET', '/_sandbox/requests?limit=1000&order=asc')).items;
}

/** Returns the same calls with their bodies, which a list does not show. */
async function withBodies(
  account: ExploredAccount,
  listed: readonly Pick<JournalRequest, 'id' | 'seq'>[],
): Promise<JournalRequest[]> {
  const bodies = known.get(account) ?? new Map<string, JournalRequest>();
  known.set(account, bodies);
  const unread = listed.filter(({ id }) => !bodies.has(id));
  const [first] = unread;
  if (first !== undefined) {
    const path = `/_sandbox/wait?for=request&count=${unread.length}&after=${first.seq - 1}&timeout=0s`;
    // It has as many as fit into a response.
    const { items } = await account.call<{ items: JournalRequest[] }>('GET', path);
    for (const one of items) bodies.set(one.id, one);
  }
  return Promise.all(
    listed.map(async ({ id }) => {
      const one = bodies.get(id) ?? (await account.call<JournalRequest>('GET', `/_sandbox/requests/${id}`));
      bodies.set(id, one);
      return one;
    }),
  );
}

/** Injected rules have ids that start so. */
export const rulePrefix = 'explore-';

export type Facts = Readonly<Awaited<ReturnType<typeof readFacts>>>;

/**
 * @param createdAt when the account began; with a scenario, its activation counts, from which rules count their times
 * @param suffix what the key of the account adds to the key of the try: test runners use one for each test
 */
export async function readFacts(account: ExploredAccount, createdAt: string, suffix = '') {
  await account.idle(lastAttempts).catch(() => undefined);
  const clock = await account.clock.get();
  const [scenario, messages, received, otps, templates, endpoints, listed, deliveries, rules] = await Promise.all([
    account.call<Schemas['ActiveScenario']>('GET', '/_sandbox/scenario'),
    account.messages({ direction: 'outbound' }),
    account.call<{ items: Schemas['InboundMessage'][] }>('GET', '/_sandbox/messages?direction=inbound&limit=1000'),
    account.otps(),
    account.templates.list(),
    account.webhooks.list(),
    callsOf(account),
    account.deliveries(),
    account.rules.list(),
  ]);
  const requests = await withBodies(account, listed);
  /** Keys are injected rules. */
  const hits = Object.fromEntries(
    rules.filter(({ id }) => id.startsWith(rulePrefix)).map(({ id, hits: count }) => [id, count]),
  );
  /** Hits of the story's rules that select some of the calls that match. */
  const picked = scenario.rules.flatMap(({ id, when, pick, hits: count }) => (pick ? [{ id, when, hits: count }] : []));
  /** Steps of the story that could not be played, in sentences. */
  const skipped = scenario.warnings.flatMap(({ code, message }) => (code === 'step_passed_over' ? [message] : []));
  /** True if the story moved the clock itself, so that times can be compared. */
  const steered = clock.quiet_real === undefined && clock.mode === 'frozen';
  const records = {
    messages,
    received: received.items,
    otps,
    templates,
    endpoints,
    requests,
    deliveries,
    hits,
    picked,
    skipped,
  };
  const startedAt = scenario.activated_at ?? createdAt;
  return { startedAt, endedAt: clock.now, steered, account: suffix, ...records };
}

export function merged([first, ...others]: readonly [Facts, ...Facts[]]): Facts {
  return others.reduce(
    (all, one) => ({
      ...all,
      steered: all.steered && one.steered,
      messages: [...all.messages, ...one.messages],
      received: [...all.received, ...one.received],
      otps: [...all.otps, ...one.otps],
      templates: [...all.templates, ...one.templates],
      endpoints: [...all.endpoints, ...one.endpoints],
      requests: [...all.requests, ...one.requests],
      deliveries: [...all.deliveries, ...one.deliveries],
      hits: { ...all.hits, ...one.hits },
      picked: [...all.picked, ...one.picked],
      skipped: [...all.skipped, ...one.skipped],
    }),
    first,
  );
}

const lookMs = 60;

/** Sends the event of a fault, if it has one, when the application has an endpoint. */
export function sendEvent(
  account: ExploredAccount,
  event: object | undefined,
  over: { readonly aborted: boolean },
): void {
  const send = async () => {
    while (!over.aborted && (await account.webhooks.list()).length === 0) await pause(lookMs);
    if (!over.aborted) await account.call('POST', '/_sandbox/events', event);
  };
  // After the account is deleted, nothing is sent.
  if (event) send().catch(() => undefined);
}

export async function drop(account: ExploredAccount): Promise<void> {
  await account.call('DELETE', `/_sandbox/accounts/${encodeURIComponent(account.apiKey)}`).catch(() => undefined);
}
