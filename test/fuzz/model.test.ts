/**
 * Random stories: sends, replies, reviews, codes and moves of the clock in any order, on one account. After every step,
 * the account is compared with a small model of the application and the test.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newWorld, type Control, type World } from '../support/client.js';
import { useCheckedSandbox } from '../support/sandbox.js';
import { cases, fuzzSeed } from '../support/property.js';

const startMs = Date.UTC(2026, 2, 1, 9);
const dayMs = 86_400_000;
const customers = ['+12025550110', '+12025550121'] as const;
const ranks: Readonly<Record<string, number>> = { accepted: 0, sent: 1, delivered: 2, read: 3, failed: 3 };

const { sandbox } = useCheckedSandbox({ clock: { mode: 'frozen', scale: 1, startMs } });

/** The history, as the account should show it. */
interface Model {
  nowMs: number;
  /** When each customer last wrote. */
  readonly inboundMs: Map<string, number>;
  readonly sent: string[];
  readonly otps: { readonly id: string; readonly expiresMs: number; wrong: number; spent: boolean }[];
  templates: number;
  /** Endpoints by name, with their subscriptions and the first `seq` of each. */
  readonly endpoints: Map<string, { readonly events: readonly string[]; id: string; sinceSeq: number }>;
  /** The latest known status of each message. */
  readonly seen: Map<string, string>;
  lastSeq: number;
}

type Step = fc.AsyncCommand<Model, World>;

const can = { check: () => true };
const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];

function step(name: string, run: (model: Model, world: World) => Promise<void>): Step {
  return {
    ...can,
    run: async (model, world) => {
      await run(model, world);
      await holds(model, world);
    },
    toString: () => name,
  };
}

/** Checks everything that must always be true. */
async function holds(model: Model, world: World): Promise<void> {
  await world.idle();
  const messages = await world.items<Control['Message']>('/_sandbox/messages?limit=1000');
  const events = await world.events('?limit=1000');
  const deliveries = await world.deliveries('?limit=1000');

  for (const { message_id: id, status, history } of messages) {
    const path = history.map((entry) => ranks[entry.status] ?? -1);
    expect(path, `${id} never goes back`).toEqual(path.toSorted((a, b) => a - b));
    expect(history.at(-1)?.status, id).toBe(status);
    const before = model.seen.get(id);
    expect(ranks[status] ?? -1, `${id} was ${before}`).toBeGreaterThanOrEqual(ranks[before ?? 'accepted'] ?? 0);
    model.seen.set(id, status);
    const told = events.filter(({ type, data }) => type === 'message.status' && data['message_id'] === id);
    const reported = history.map((entry) => entry.status).filter((each) => each !== 'accepted');
    expect(new Set(told.map(({ data }) => data['status'])), `events of ${id}`).toEqual(new Set(reported));
  }
  const ids = new Set(messages.map(({ message_id: id }) => id));
  expect(
    model.sent.filter((id) => !ids.has(id)),
    'sent but not stored',
  ).toEqual([]);

  const seqs = events.map(({ seq }) => seq);
  expect(seqs, 'seq of events').toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
  const newest = Math.max(0, ...seqs, ...deliveries.map(({ seq }) => seq));
  expect(newest, 'the newest seq').toBeGreaterThanOrEqual(model.lastSeq);
  model.lastSeq = newest;
  expect(new Set(events.map(({ id }) => id)).size, 'ids of events').toBe(events.length);

  for (const { events: wanted, id, sinceSeq } of model.endpoints.values()) {
    const owed = events.filter(({ type, seq }) => wanted.includes(type) && seq > sinceSeq).map((event) => event.id);
    const made = deliveries.filter(({ webhook_id: webhook }) => webhook === id);
    const missing = owed.filter((event) => !made.some(({ event_id: of }) => of === event));
    expect(missing, `events that endpoint ${id} is not owed`).toEqual([]);
  }
  const { now } = await world.clock();
  expect(Date.parse(now)).toBe(model.nowMs);
}

const numbers = fc.constantFrom(...customers);

const steps = [
  numbers.map((from) =>
    step(`inbound ${from}`, async (model, world) => {
      await world.inbound(from, { text: 'Hello' });
      model.inboundMs.set(from, model.nowMs);
    }),
  ),
  numbers.map((to) =>
    step(`text ${to}`, async (model, world) => {
      const answer = await world.call<{ message_id?: string; error?: { code: string } }>('POST', '/v1/messages', {
        to,
        type: 'text',
        text: 'Hi',
      });
      const last = model.inboundMs.get(to);
      const isOpen = last !== undefined && model.nowMs < last + dayMs;
      expect([answer.status, answer.body.error?.code], `window of ${to}`).toEqual(
        isOpen ? [200, undefined] : [400, 'send_failed'],
      );
      if (answer.body.message_id !== undefined) model.sent.push(answer.body.message_id);
    }),
  ),
  fc.array(numbers, { minLength: 1, maxLength: 5 }).map((to) =>
    step(`batch ${to.join()}`, async (model, world) => {
      const { results } = await world.send(to, 'ready');
      expect(results.map((entry) => entry.to)).toEqual(to);
      model.sent.push(...results.filter(({ ok }) => ok).map(({ message_id: id }) => id));
    }),
  ),
  fc.constantFrom('1ms', '1s', '5m', '1h', '6h', '23h59m59s999ms', '24h', '3d').map((by) =>
    step(`advance ${by}`, async (model, world) => {
      const { now } = await world.advance(by);
      model.nowMs = Date.parse(now);
    }),
  ),
  fc
    .tuple(
      fc.nat({ max: 2 }),
      fc.subarray(['message.status', 'message.received', 'template.status', 'otp.verified'], { minLength: 1 }),
    )
    .map(([name, events]) =>
      step(`register ${name} ${events.join()}`, async (model, world) => {
        const url = `https://sink.sandbox/${name}`;
        const { webhook_id: id } = await world.register(url, events);
        const known = model.endpoints.get(url);
        expect(known?.id ?? id, 'a URL keeps its id').toBe(id);
        const latest = (await world.events('?order=desc&limit=1'))[0]?.seq ?? 0;
        model.endpoints.set(url, { id, events, sinceSeq: latest });
      }),
    ),
  fc.tuple(fc.nat(), fc.constantFrom('sent', 'delivered', 'read', 'failed')).map(([index, status]) =>
    step(`report ${status} of ${index}`, async (model, world) => {
      const id = pick(model.sent, index);
      if (id === undefined) return;
      const { status: before } = await world.get<Control['Message']>(`/_sandbox/messages/${id}`);
      const answer = await world.call('POST', `/_sandbox/messages/${id}/status`, { status });
      const isFinal = before === 'read' || before === 'failed';
      const goesOn = !isFinal && (status === 'failed' || (ranks[status] ?? 0) > (ranks[before] ?? 0));
      expect([answer.status, before, status]).toEqual([goesOn ? 200 : 409, before, status]);
    }),
  ),
  fc.constantFrom('approved', 'rejected').map((decision) =>
    step(`a template, ${decision}`, async (model, world) => {
      model.templates += 1;
      const id = await world.template(`story_${model.templates}`, {}, false);
      await world.post(`/_sandbox/templates/${id}/review`, { decision });
      expect((await world.get<{ status: string }>(`/v1/templates/${id}`)).status).toBe(decision);
      expect((await world.call('POST', `/_sandbox/templates/${id}/review`, { decision })).status).toBe(409);
    }),
  ),
  fc.constant(
    step('otp send', async (model, world) => {
      const { otp_id: id, expires_at: at } = await world.post<{ otp_id: string; expires_at: string }>('/v1/otp/send', {
        to: customers[0],
      });
      expect(Date.parse(at)).toBe(model.nowMs + 300_000);
      model.otps.push({ id, expiresMs: Date.parse(at), wrong: 0, spent: false });
    }),
  ),
  fc.tuple(fc.nat(), fc.boolean()).map(([index, right]) =>
    step(`otp verify ${index}, ${right ? 'right' : 'wrong'}`, async (model, world) => {
      const otp = pick(model.otps, index);
      if (!otp) return;
      const { code } = await world.get<Control['Otp']>(`/_sandbox/otps/${otp.id}`);
      const answer = await world.call<{ valid?: boolean; attempts_remaining?: number; error?: { code: string } }>(
        'POST',
        '/v1/otp/verify',
        { otp_id: otp.id, code: right ? code : `${code}0` },
      );
      const found = answer.body.error?.code ?? answer.body.valid;
      if (otp.spent) expect(found).toBe('not_found');
      else if (otp.wrong >= 5) expect(found).toBe('otp_max_attempts');
      else if (model.nowMs >= otp.expiresMs) expect(found).toBe('otp_expired');
      else if (right) {
        expect(found).toBe(true);
        otp.spent = true;
      } else {
        otp.wrong += 1;
        expect([found, answer.body.attempts_remaining]).toEqual([false, 5 - otp.wrong]);
      }
    }),
  ),
  fc.constant(
    step('snapshot and restore', async (_model, world) => {
      await world.call('DELETE', '/_sandbox/snapshots/story');
      await world.post('/_sandbox/snapshots', { name: 'story' });
      await world.post('/_sandbox/snapshots/story/restore');
    }),
  ),
];

async function opened(): Promise<{ model: Model; real: World }> {
  const real = newWorld(sandbox);
  await real.template('ready');
  await real.template('login_code', { category: 'authentication', body: undefined });
  const { now } = await real.clock();
  const model: Model = {
    nowMs: Date.parse(now),
    inboundMs: new Map(),
    sent: [],
    otps: [],
    templates: 0,
    endpoints: new Map(),
    seen: new Map(),
    lastSeq: 0,
  };
  return { model, real };
}

describe(`stories (FUZZ_SEED=${fuzzSeed})`, () => {
  it('keep what the contract promises at every step', async () => {
    const commands = fc.commands(steps, { maxCommands: 60, size: 'max' });
    await fc.assert(
      fc.asyncProperty(commands, async (story) => {
        const { model, real } = await opened();
        await fc.asyncModelRun(() => ({ model, real }), story);
        await real.delete(`/_sandbox/accounts/${real.key}`);
      }),
      { seed: fuzzSeed, numRuns: cases(40), endOnFailure: false },
    );
  }, 300_000);
});
