import { describe, expect, it } from 'vitest';
import { AccountStore } from '../../src/store/account-store.js';
import { parsePlainData } from '../../src/store/account-schema.js';
import { customer, emptyData, job, message, plainOf } from './support.js';

function sample(): { meta: Record<string, unknown>; tables: Record<string, Record<string, unknown>[]> } {
  const store = new AccountStore(emptyData(), null, () => 0);
  store.update(() => {
    store.tables.messages.insert(message('00000000-0000-4000-8000-000000000001', store.nextSeq()));
    store.tables.messages.insert(message('00000000-0000-4000-8000-000000000002', store.nextSeq()));
    store.tables.customers.insert(customer('+12025550150', store.nextSeq()));
    store.tables.jobs.insert(job('job_1', store.nextSeq()));
  });
  return plainOf(store) as unknown as ReturnType<typeof sample>;
}

function problemsOf(value: unknown): string[] {
  const parsed = parsePlainData(value);
  return 'problems' in parsed ? parsed.problems.map(({ path, message }) => `${path} ${message}`) : [];
}

it('takes what the store gives', () => {
  const data = sample();
  expect(parsePlainData(data)).toEqual(data);
});

it('takes an account without some of the tables, as empty ones', () => {
  const { meta, tables } = sample();
  expect(parsePlainData({ meta, tables: { messages: tables.messages } })).toMatchObject({
    tables: { otps: [], jobs: [] },
  });
});

type Spoil = (data: ReturnType<typeof sample>) => void;

describe('a value that is no account', () => {
  it.each<[string, Spoil, string]>([
    ['meta', (data) => (data.meta = [] as never), 'meta must be an object; found an array of 0'],
    ['seq', (data) => (data.meta.seq = '4'), 'meta.seq must be a whole number of at least 0; found "4"'],
    [
      'draws',
      (data) => (data.meta.draws = { uuid: 1.5 }),
      'meta.draws.uuid must be a whole number of at least 0; found 1.5',
    ],
    [
      'clock',
      (data) => (data.meta.clock = { mode: 'slow', scale: 1, baseMs: 0, anchorMs: 0 }),
      'meta.clock.mode must be one of real, frozen, scaled, auto; found "slow"',
    ],
    [
      'tables',
      (data) => (data.tables = null as never),
      'tables must be an object with a list for each kind of record; found null',
    ],
    ['a table', (data) => (data.tables.otps = {} as never), 'tables.otps must be a list of records; found an object'],
    [
      'a missing field',
      (data) => delete data.tables.messages![1]!.wamid,
      'tables.messages[1].wamid must be set: the field is required; found nothing',
    ],
    [
      'a wrong type',
      (data) => (data.tables.messages![0]!.createdAtMs = '5'),
      'tables.messages[0].createdAtMs must be milliseconds since 1970; found "5"',
    ],
    [
      'a wrong word, deep',
      (data) => (data.tables.messages![0]!.history = [{ status: 'lost', atMs: 1 }]),
      'tables.messages[0].history[0].status must be one of accepted, sent, delivered, read, failed, received; found "lost"',
    ],
    [
      'an id twice',
      (data) => (data.tables.messages![1]!.id = data.tables.messages![0]!.id),
      'tables.messages[1].id must be an id that no other record of the table has; found "00000000-0000-4000-8000-000000000001"',
    ],
    [
      'a number twice',
      (data) => (data.tables.messages![1]!.seq = 1),
      'tables.messages[1].seq must be a number that no other record of the table has; found 1',
    ],
    [
      'a number beyond the last',
      (data) => (data.tables.customers![0]!.seq = 9),
      'tables.customers[0].seq must be at most meta.seq, which is 4; found 9',
    ],
    [
      'an optional field of a wrong type',
      (data) => (data.tables.messages![0]!.batchId = 7),
      'tables.messages[0].batchId must be a string; found 7',
    ],
  ])('is refused for %s', (_what, spoil, expected) => {
    const data = sample();
    spoil(data);
    expect(problemsOf(data)).toEqual([expected]);
  });

  it('is refused for an unknown table and an unknown kind of job, with what is known', () => {
    const data = sample();
    data.tables.letters = [];
    data.tables.jobs![0]!.kind = 'coffee';
    const problems = problemsOf(data);
    expect(problems).toHaveLength(2);
    expect(problems[0]).toMatch(/^tables\.letters must be one of messages, templates, .*; found an array of 0$/);
    expect(problems[1]).toMatch(/^tables\.jobs\[0\]\.kind must be one of message\.status, .*; found "coffee"$/);
  });

  it.each(['null', '[]', '"x"', '{}', '{"meta":{}}'])('is refused: %s', (text) => {
    expect(problemsOf(JSON.parse(text))).not.toEqual([]);
  });

  it('keeps whatever an application sent in the journal, which nothing merges', () => {
    const data = sample();
    data.tables.requests = [
      {
        id: 'req_1',
        seq: 4,
        atMs: 0,
        operation: null,
        method: 'POST',
        path: '/v1/messages',
        status: 400,
        durationMs: 0.25,
        request: { headers: JSON.parse('{"constructor":"x","__proto__":"y"}') as object },
        response: { headers: {} },
        warnings: [],
      },
    ];
    expect(problemsOf(data)).toEqual([]);
  });

  it('is told with the first hundred problems', () => {
    const data = sample();
    data.tables.messages = Array.from({ length: 150 }, () => ({}));
    expect(problemsOf(data)).toHaveLength(100);
  });
});
