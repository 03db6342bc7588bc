import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { takeSnapshot } from '../../src/accounts/snapshots.js';
import { machineTime } from '../../src/time/system-clock.js';
import { freshDir, openAt } from '../store/support.js';
import { closing } from '../support/closing.js';
import type { World } from '../support/client.js';
import { newWorld, type Control } from '../support/client.js';
import { lived, sizes } from '../support/lived.js';
import { startTestSandbox, useSandbox } from '../support/sandbox.js';
import { at, frozen, inFlight, startMs } from '../support/scenes.js';

const to = '+12025550110';

const { sandbox, it } = useSandbox({ clock: frozen });
const reset = (world: World, keep?: string[]) =>
  world.call('POST', '/_sandbox/reset', keep === undefined ? undefined : { keep });

describe('a snapshot', () => {
  it('brings the account back as it was: records, clock, jobs and retries', async ({ world }) => {
    const { message, webhook_id, secret } = await lived(world);
    const before = { sizes: await sizes(world), clock: await world.clock(), deliveries: await world.deliveries() };
    expect(before.clock.pending).toBeGreaterThan(2);
    const taken = await world.post<Control['SnapshotInfo']>('/_sandbox/snapshots', { name: 'before' });
    expect(taken).toMatchObject({ name: 'before', taken_at: at(10_000) });

    await world.advance('48h');
    await world.text('+12025550112');
    await world.delete(`/v1/webhooks/${webhook_id}`);
    expect(await world.clock()).not.toEqual(before.clock);
    expect(await world.post('/_sandbox/snapshots/before/restore')).toEqual(taken);

    expect({ sizes: await sizes(world), clock: await world.clock(), deliveries: await world.deliveries() }).toEqual(
      before,
    );
    expect(await world.get(`/v1/messages/${message}`)).toMatchObject({ status: 'read' });
    expect(await world.items('/_sandbox/webhooks')).toMatchObject([{ id: webhook_id, secret, failing_since: at(0) }]);
    // The retries go on at the minutes they were planned for, and the deadline still stands.
    await world.post('/_sandbox/clock/advance', { to: at(36 * 60_000) });
    const [first] = await world.deliveries();
    expect(first?.attempts.map(({ at }) => at)).toEqual([0, 1, 6, 36].map((minutes) => at(minutes * 60_000)));
    await world.post('/_sandbox/clock/advance', { to: at(86_400_000) });
    expect(await world.items('/_sandbox/webhooks')).toMatchObject([{ status: 'paused' }]);
  });

  it('can be restored more than once, and runs the same each time', async ({ world }) => {
    await lived(world);
    await world.post('/_sandbox/snapshots', { name: 'fork' });
    const run = async () => {
      await world.post('/_sandbox/snapshots/fork/restore');
      await world.inbound(to);
      const id = await world.reply(to);
      await world.advance('1h');
      return { id, events: (await world.events()).map(({ id: event, data }) => [event, data]) };
    };
    expect(await run()).toEqual(await run());
  });

  it('taken while an attempt is in flight makes that attempt again', async ({ world }) => {
    const { app, release } = await inFlight(world);
    await world.post('/_sandbox/snapshots', { name: 'mid-flight' });
    const arrived = app.nextRequest();
    await world.post('/_sandbox/snapshots/mid-flight/restore');
    await arrived;
    release();
    await world.idle();
    expect(app.received).toHaveLength(2);
    expect(app.received[1]?.body).toBe(app.received[0]?.body);
    expect(await world.deliveries()).toMatchObject([{ state: 'delivered', attempts: [{ number: 1 }] }]);
    expect((await world.deliveries())[0]?.attempts).toHaveLength(1);
  });

  it('is downloaded, and uploaded to another account and another sandbox', async ({ world }) => {
    const { template } = await lived(world);
    await world.post('/_sandbox/snapshots', { name: 'mine' });
    const file = await world.get<Control['Snapshot']>('/_sandbox/snapshots/mine');
    expect(file).toMatchObject({ version: 1, name: 'mine', taken_at: at(10_000) });
    const other = closing(await startTestSandbox());
    for (const target of [newWorld(sandbox), newWorld(other)]) {
      expect(await target.put('/_sandbox/snapshots/theirs', file)).toMatchObject({
        name: 'theirs',
        taken_at: at(10_000),
      });
      expect(await target.items('/_sandbox/templates')).toEqual([]);
      await target.post('/_sandbox/snapshots/theirs/restore');
      expect(await target.get(`/v1/templates/${template}`)).toMatchObject({ name: 'order_shipped' });
      expect(await target.clock()).toMatchObject({ now: at(10_000), mode: 'frozen' });
      expect((await target.deliveries()).map(({ state }) => state)).toContain('retrying');
    }
  });

  it('that is damaged is refused whole, with every place that is wrong', async ({ world }) => {
    await lived(world);
    await world.post('/_sandbox/snapshots', { name: 'good' });
    const file = await world.get<{ version: number; state: { tables: Record<string, Record<string, unknown>[]> } }>(
      '/_sandbox/snapshots/good',
    );
    const damaged = structuredClone(file);
    damaged.state.tables.messages![0]!.status = 'lost';
    damaged.state.tables.endpoints![0]!.secret = 7;
    delete damaged.state.tables.events![0]!.body;
    for (const name of ['good', 'bad']) {
      const answer = await world.call('PUT', `/_sandbox/snapshots/${name}`, damaged);
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'validation_error' } } });
      const fields = answer.body.error.details?.map(({ field }) => field);
      expect(fields).toEqual(
        expect.arrayContaining([
          'state.tables.messages[0].status',
          'state.tables.endpoints[0].secret',
          'state.tables.events[0].body',
        ]),
      );
    }
    for (const body of [{ ...file, version: 99 }, { ...file, state: {} }, {}, [], { ...file, taken_at: 'once' }]) {
      expect(await world.call('PUT', '/_sandbox/snapshots/bad', body)).toMatchObject({
        status: 400,
        body: { error: { code: 'validation_error' } },
      });
    }
    expect((await world.items('/_sandbox/snapshots')).map(({ name }) => name)).toEqual(['good']);
    expect(await world.get('/_sandbox/snapshots/good')).toEqual(file);
  });

  it('whose records do not agree is rejected, with at most twenty places', async ({ world }) => {
    await lived(world);
    await world.post('/_sandbox/snapshots', { name: 'good' });
    const file = await world.get<{ state: { tables: Record<string, Record<string, unknown>[]> } }>(
      '/_sandbox/snapshots/good',
    );
    const rejected = async (change: (tables: Record<string, Record<string, unknown>[]>) => void) => {
      const edited = structuredClone(file);
      change(edited.state.tables);
      const { status, body } = await world.call('PUT', '/_sandbox/snapshots/good', edited);
      expect(status).toBe(400);
      expect(body.error.code).toBe('validation_error');
      return body.error.details ?? [];
    };
    expect(await rejected(({ messages }) => void (messages![0]!.id = 'm1'))).toEqual([
      { field: 'state.tables.messages[0].id', message: 'must be a UUID in lower case; found "m1"' },
    ]);
    const nowhere = '00000000-0000-4000-8000-000000000000';
    expect(await rejected(({ attempts }) => void (attempts![0]!.deliveryId = nowhere))).toEqual([
      {
        field: 'state.tables.attempts[0].deliveryId',
        message: `must be the id of a record in tables.deliveries; found "${nowhere}"`,
      },
    ]);
    expect(await rejected(({ events }) => void (events![0]!.body = 'torn'))).toMatchObject([
      { field: 'state.tables.events[0].body' },
    ]);
    const many = await rejected(({ messages, jobs, requests, events }) => {
      for (const row of [...messages!, ...jobs!, ...requests!, ...events!])
        Object.assign(row, { id: `x${String(row.seq)}`, seq: 0.5 });
    });
    expect(many).toHaveLength(20);
    expect(await world.get('/_sandbox/snapshots/good')).toEqual(file);
  });

  it('whose scenario does not agree with its jobs, judgements and rule hits is rejected', async ({ world }) => {
    const rule = { id: 'slow', when: 'message.send', then: { respond: { status: 503 } } };
    await world.put('/_sandbox/scenario', {
      ...{ version: 1, name: 'checked', rules: [rule] },
      timeline: [{ at: '+1h', inbound: { from: '+12025550150' } }],
      expect: ['+1m', '+2h'].map((at) => ({ at, that: 'requests', max: 5 })),
    });
    await world.call('POST', '/v1/messages', { to: '+12025550110', type: 'text', text: 'Hello' });
    await world.advance('1m');
    await world.post('/_sandbox/snapshots', { name: 'script' });
    interface File {
      readonly state: { meta: { clock: { scale: number } }; tables: Record<string, Record<string, unknown>[]> };
    }
    const file = await world.get<File>('/_sandbox/snapshots/script');
    const rejected = async (change: (state: File['state']) => void) => {
      const edited = structuredClone(file);
      change(edited.state);
      const { status, body } = await world.call('PUT', '/_sandbox/snapshots/script', edited);
      expect(status).toBe(400);
      return (body.error.details ?? []).map(({ field }) => field);
    };
    expect(await rejected(({ tables }) => void (tables['scenarios'] = []))).toEqual([
      'state.tables.ruleHits[0].id',
      'state.tables.judgements[0].id',
      'state.tables.jobs[0].kind',
      'state.tables.jobs[1].kind',
    ]);
    const judging = file.state.tables['jobs']!.findIndex(({ kind }) => kind === 'scenario.judge');
    expect(await rejected(({ tables }) => void (tables['jobs']![judging]!['data'] = { index: 0 }))).toEqual([
      `state.tables.jobs[${judging}].data.index`,
    ]);
    expect(await rejected(({ meta }) => void (meta.clock.scale = 1e12))).toEqual(['state.meta.clock.scale']);
    await world.put('/_sandbox/snapshots/script', file);
  });

  it('has a name of its own', async ({ world }) => {
    await world.post('/_sandbox/snapshots', { name: 'v1.0_a-b' });
    expect(await world.call('POST', '/_sandbox/snapshots', { name: 'v1.0_a-b' })).toMatchObject({
      status: 409,
      body: { error: { code: 'name_taken' } },
    });
    for (const name of ['', '.hidden', 'a/b', '../up', 'a b', 'é', 'x'.repeat(65)]) {
      expect(await world.call('POST', '/_sandbox/snapshots', { name }), name).toMatchObject({ status: 400 });
      if (name !== '' && !name.includes('/')) {
        expect((await world.call('GET', `/_sandbox/snapshots/${encodeURIComponent(name)}`)).status, name).toBe(400);
      }
    }
    expect((await world.call('POST', '/_sandbox/snapshots', { name: 'x'.repeat(64) })).status).toBe(200);
  });

  it('is listed, forgotten, and belongs to its account', async () => {
    const [world, other] = [newWorld(sandbox), newWorld(sandbox)];
    await world.post('/_sandbox/snapshots', { name: 'one' });
    await world.post('/_sandbox/snapshots', { name: 'two' });
    const items = await world.items<Control['SnapshotInfo']>('/_sandbox/snapshots');
    expect(items.map(({ name }) => name)).toEqual(['one', 'two']);
    const first = await world.page<Control['SnapshotInfo']>('/_sandbox/snapshots?limit=1&order=desc');
    expect(first).toEqual({ items: [items[1]], next: items[1]?.seq });
    expect(await world.items(`/_sandbox/snapshots?before=${first.next ?? 0}&order=desc`)).toEqual([items[0]]);
    expect(await other.items('/_sandbox/snapshots')).toEqual([]);
    for (const [method, path] of [
      ['POST', '/_sandbox/snapshots/one/restore'],
      ['GET', '/_sandbox/snapshots/one'],
      ['DELETE', '/_sandbox/snapshots/one'],
    ] as const) {
      expect(await other.call(method, path)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    }
    await reset(world);
    expect(await world.items('/_sandbox/snapshots')).toHaveLength(2);
    expect((await world.call('DELETE', '/_sandbox/snapshots/one')).status).toBe(204);
    expect((await world.items('/_sandbox/snapshots')).map(({ name }) => name)).toEqual(['two']);
  });

  it('is downloaded, uploaded and restored in turns with other calls, and replaces the account in one step', async () => {
    const [world, other] = [newWorld(sandbox), newWorld(sandbox)];
    await world.post('/_sandbox/snapshots', { name: 'small' });
    const template = await world.template('order_shipped');
    for (let n = 0; n < 30; n += 1) {
      const numbers = Array.from({ length: 100 }, (_, i) => `+1415${String(5_000_000 + n * 100 + i)}`);
      await world.send(numbers, 'order_shipped');
    }
    /** Makes the call, and others of another account meanwhile. @returns how many of them came back before it */
    const servedDuring = async (call: () => Promise<unknown>): Promise<number> => {
      let [served, isOver] = [0, false];
      const done = call().finally(() => (isOver = true));
      while (!isOver) {
        await other.get('/_sandbox/clock');
        served += 1;
      }
      await done;
      return served;
    };
    await world.post('/_sandbox/snapshots', { name: 'large' });
    const file = await world.get<object>('/_sandbox/snapshots/large');
    expect(await servedDuring(() => world.get('/_sandbox/snapshots/large'))).toBeGreaterThan(3);
    expect(await servedDuring(() => world.put('/_sandbox/snapshots/copy', file))).toBeGreaterThan(3);
    await world.post('/_sandbox/snapshots/small/restore');
    const seen = new Set<number>();
    const restoring = world.post('/_sandbox/snapshots/copy/restore').finally(() => seen.add(-1));
    while (!seen.has(-1)) {
      const page = await world.page<{ seq: number }>('/_sandbox/messages?limit=1&order=desc');
      seen.add(page.items[0]?.seq ?? 0);
    }
    await restoring;
    // None, and then all.
    expect(seen.size).toBeLessThan(4);
    expect(await world.get(`/v1/templates/${template}`)).toMatchObject({ name: 'order_shipped' });
    const { state } = await world.get<Control['Snapshot']>('/_sandbox/snapshots/copy');
    expect(state).toEqual((file as Control['Snapshot']).state);
  });

  it('is not restored into an account that was deleted meanwhile', async ({ world }) => {
    await lived(world);
    await world.post('/_sandbox/snapshots', { name: 'late' });
    const [restored] = await Promise.all([
      world.call('POST', '/_sandbox/snapshots/late/restore'),
      world.call('DELETE', `/_sandbox/accounts/${encodeURIComponent(world.key)}`),
    ]);
    // Its snapshots are gone, too.
    expect(restored.body.error.code).toBeOneOf(['not_found', 'wait_interrupted']);
    expect(await world.items('/_sandbox/templates')).toEqual([]);
  });

  it('that would take more memory than there is, with the account as it is, is not restored', async () => {
    const small = closing(await startTestSandbox({ clock: frozen, memoryLimit: 2 ** 20 }));
    const world = newWorld(small);
    const large = { version: 1, name: 'x', taken_at: at(0), state: { tables: { sinks: Array(8_000).fill({}) } } };
    expect(await world.call('PUT', '/_sandbox/snapshots/x', large)).toMatchObject({
      status: 413,
      body: { error: { code: 'payload_too_large' } },
    });
    await world.post('/_sandbox/snapshots', { name: 'empty' });
    for (const text of ['a', 'b']) await world.call('POST', '/_sandbox/sink/app', text.repeat(200_000));
    await world.post('/_sandbox/snapshots', { name: 'full' });
    await world.call('POST', '/_sandbox/sink/app', 'c'.repeat(100_000));
    expect(await world.call('POST', '/_sandbox/snapshots/full/restore')).toMatchObject({
      status: 429,
      body: { error: { code: 'limit_reached' } },
    });
    expect(await world.items('/_sandbox/sink/app/received')).toHaveLength(3);
    await world.post('/_sandbox/snapshots/empty/restore');
    await world.post('/_sandbox/snapshots/full/restore');
    expect(await world.items('/_sandbox/sink/app/received')).toHaveLength(2);
  });

  it('is of the moment at which it was asked for, though the account goes on meanwhile', async ({ world }) => {
    await lived(world);
    const account = sandbox.accounts.of(world.key);
    const taking = takeSnapshot(account, 'then', account.clock.now());
    const before = await world.items('/_sandbox/messages');
    await world.reply(to);
    const pieces: Buffer[] = [];
    for await (const slice of taking.slices(machineTime)) pieces.push(slice);
    taking.release();
    await world.put('/_sandbox/snapshots/then', JSON.parse(Buffer.concat(pieces).toString()) as object);
    expect(await world.items('/_sandbox/messages')).not.toEqual(before);
    await world.post('/_sandbox/snapshots/then/restore');
    expect(await world.items('/_sandbox/messages')).toEqual(before);
  });

  it('of more than may be restored is refused, and nothing of it is left', async ({ world }) => {
    const taking = takeSnapshot(sandbox.accounts.of(world.key), 'big', startMs);
    const dir = await freshDir();
    const { directory } = await openAt(dir);
    await expect(directory.snapshots.put(world.key, 'big', startMs, taking.slices(machineTime, 10))).rejects.toThrow(
      'This account is too large for a snapshot (limit: 0.00001 MB).',
    );
    taking.release();
    expect(await directory.snapshots.list(world.key)).toEqual([]);
    expect((await readdir(join(dir, 'snapshots'), { recursive: true })).filter((name) => name.includes('big'))).toEqual(
      [],
    );
  });
});
