/** Runs, points and faults for tests of the exploration itself. */
import { faultsAt } from '../../src/explore/faults/faults.js';
import type { Facts } from '../../src/explore/facts/facts.js';
import { place } from '../../src/explore/faults/placed.js';
import type { Placed, Point, Run } from '../../src/explore/facts/types.js';

export const to = '+12025550110';
export const at = (seconds: number) => new Date(Date.UTC(2026, 2, 1, 9, 0, seconds)).toISOString();

export const message = (over: object = {}) => ({
  id: 'm',
  to,
  type: 'text',
  text: 'Hello',
  explain: { by: 'default', text: 'As usual.' },
  created_at: at(1),
  ...over,
});

export const request = (over: object = {}) => ({
  operation: 'sendMessage',
  method: 'POST',
  path: '/v1/messages',
  status: 200,
  at: at(1),
  seq: 1,
  request: { headers: {}, body: { to, type: 'text' } },
  response: { headers: {} },
  ...over,
});

/** A run of 200,000 seconds, of which the story moves the clock. */
export function run(facts: object = {}, ending: Partial<Run> = {}): Run {
  const empty = {
    messages: [],
    received: [],
    otps: [],
    templates: [],
    endpoints: [],
    requests: [],
    deliveries: [],
    hits: {},
    picked: [],
    skipped: [],
  };
  const start = { startedAt: at(0), endedAt: at(200_000), steered: true, account: '' };
  const whole = { ...start, ...empty, ...facts } as unknown as Facts;
  return { failure: null, timedOut: false, said: null, tookMs: 1000, ...ending, facts: whole, accounts: [whole] };
}

export const point: Point = {
  id: `message.send:text:${to}:1`,
  title: '1st message.send',
  kind: 'message.send',
  when: 'message.send',
  match: { to, type: 'text' },
  nth: 1,
  to,
  template: null,
  account: '',
  atMs: 1000,
};

export function fault(id: string, over: Partial<Point> = {}): Placed {
  const where = { ...point, ...over };
  const found = faultsAt(where, true).find((one) => one.id === id);
  if (!found) throw new Error(`there is no fault ${id} here`);
  return place(where, found);
}
