import { beforeAll, describe, expect, it } from 'vitest';
import { newWorld, type World } from '../support/client.js';
import { useCheckedSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';

let world: World;
const phone = (i: number): string => `+1415555011${i}`;

/** Seven of everything. */
const { sandbox } = useCheckedSandbox({ clock: frozen });
beforeAll(async () => {
  world = newWorld(sandbox);
  await world.template('login', { category: 'authentication', body: '{{1}}' });
  for (let i = 0; i < 7; i += 1) {
    await world.template(`t_${i}`, {}, false);
    await world.register(`https://sink.sandbox/app/${i}`, ['message.received']);
    await world.inbound(phone(i), { text: `hello ${i}` });
    await world.reply(phone(i), `reply ${i}`);
    if (i % 2 === 0)
      await world.post('/v1/messages', { to: phone(i), type: 'image', media_url: 'https://cdn.test/a.png' });
    await world.post('/v1/otp/send', { to: phone(i) });
    await world.post('/_sandbox/snapshots', { name: `s${i}` });
  }
  await world.advance('500ms');
});

/** Reads a list to its end, page by page. */
async function walk(path: string, limit: number, order: 'asc' | 'desc'): Promise<number[]> {
  const seqs: number[] = [];
  const join = path.includes('?') ? '&' : '?';
  for (let cursor: number | null = null; ;) {
    const from = cursor === null ? '' : `&${order === 'asc' ? 'after' : 'before'}=${cursor}`;
    const page: { items: { seq: number }[]; next: number | null } = await world.page(
      `${path}${join}limit=${limit}&order=${order}${from}`,
    );
    expect(page.items.length).toBeLessThanOrEqual(limit);
    seqs.push(...page.items.map(({ seq }) => seq));
    if (page.next === null) return seqs;
    expect(page.next).toBe(page.items.at(-1)?.seq);
    cursor = page.next;
  }
}

describe.each([
  ['/_sandbox/messages', 11],
  ['/_sandbox/messages?type=image', 4],
  ['/_sandbox/templates', 8],
  ['/_sandbox/customers', 7],
  ['/_sandbox/customers/+14155550110/messages', 4],
  ['/_sandbox/otps', 7],
  ['/_sandbox/events', 30],
  ['/_sandbox/events?type=message.received', 7],
  ['/_sandbox/deliveries', 28],
  ['/_sandbox/webhooks', 7],
  ['/_sandbox/requests', 33],
  ['/_sandbox/requests?operation=otp.send&path=/v1/*', 7],
  ['/_sandbox/sink/app/received', 28],
  ['/_sandbox/snapshots', 7],
  ['/_sandbox/clock/jobs', 25],
])('the list %s', (path, size) => {
  it(`has ${size} entries, each once and in order, whatever the pages`, async () => {
    const all = await walk(path, 1000, 'asc');
    expect(all).toHaveLength(size);
    expect(all).toEqual([...new Set(all)].sort((a, b) => a - b));
    for (const limit of [1, 3, size]) {
      expect(await walk(path, limit, 'asc')).toEqual(all);
      expect(await walk(path, limit, 'desc')).toEqual([...all].reverse());
    }
  });
});

describe('a list', () => {
  it.each(['events?', 'events?type=message.status&', 'requests?path=/v1/*&', 'snapshots?', 'scenarios?'])(
    '%s lies between after and before, whichever way it is read',
    async (list) => {
      const seqs = async (query: string) => {
        const { items, next } = await world.page(`/_sandbox/${list}${query}`);
        return { seqs: items.map(({ seq }) => seq), next };
      };
      const { seqs: all } = await seqs('limit=1000');
      const between = all.slice(2, -1);
      expect(between.length).toBeGreaterThan(1);
      const bounds = `after=${all[1]}&before=${all.at(-1)}`;
      for (const limit of [1000, between.length]) {
        expect(await seqs(`${bounds}&limit=${limit}`)).toEqual({ seqs: between, next: null });
        const down = await seqs(`${bounds}&limit=${limit}&order=desc`);
        expect(down).toEqual({ seqs: between.toReversed(), next: null });
      }
      expect(await seqs(`${bounds}&limit=1`)).toEqual({ seqs: [between[0]], next: between[0] });
    },
  );

  it('keeps its place while entries are added: a cursor counts no positions', async () => {
    const own = newWorld(sandbox);
    for (let i = 0; i < 3; i += 1) await own.inbound(phone(i));
    const first = await own.page('/_sandbox/events?limit=2');
    await own.inbound(phone(4));
    const rest = await own.page(`/_sandbox/events?limit=10&after=${first.next ?? 0}`);
    expect(rest.items).toHaveLength(2);
    expect(rest.next).toBeNull();
    const newest = await own.page('/_sandbox/events?limit=2&order=desc');
    await own.inbound(phone(5));
    const older = await own.page(`/_sandbox/events?order=desc&before=${newest.next ?? 0}`);
    expect(older.items).toEqual([...first.items].reverse());
  });

  it('refuses a limit, an order or a cursor that is none', async () => {
    for (const query of ['limit=0', 'limit=1001', 'limit=ten', 'order=random', 'after=-1', 'after=1.5', 'page=2']) {
      expect((await world.call('GET', `/_sandbox/events?${query}`)).status, query).toBe(400);
    }
  });

  it('beyond its end is empty, and ends', async () => {
    expect(await world.page('/_sandbox/events?after=999999999')).toEqual({ items: [], next: null });
    expect(await world.page('/_sandbox/events?order=desc&before=0')).toEqual({ items: [], next: null });
  });
});
