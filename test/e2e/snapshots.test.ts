import { describe, expect } from 'vitest';
import { closing } from '../support/closing.js';
import type { World } from '../support/client.js';
import { newWorld, type Control } from '../support/client.js';
import { lived, sizes } from '../support/lived.js';
import { startTestSandbox, useCheckedSandbox } from '../support/sandbox.js';
import { at, frozen, inFlight, startMs } from '../support/scenes.js';

const to = '+12025550110';

const { sandbox, it } = useCheckedSandbox({ clock: frozen });
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
    expect(file).toMatchObject({ version: 2, name: 'mine', taken_at: at(10_000) });
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

  it('that is damaged is refused whole, with the places that are wrong, at most twenty', async ({ world }) => {
    await lived(world);
    await world.post('/_sandbox/snapshots', { name: 'good' });
    const file = await world.get<{ version: number; state: { tables: Record<string, Record<string, unknown>[]> } }>(
      '/_sandbox/snapshots/good',
    );
    const kept = structuredClone(file);
    const damaged = structuredClone(file);
    damaged.state.tables.messages![0]!.status = 'lost';
    damaged.state.tables.endpoints![0]!.secret = 7;
    delete damaged.state.tables.events![0]!.data;
    for (const name of ['good', 'bad']) {
      const answer = await world.call('PUT', `/_sandbox/snapshots/${name}`, damaged);
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'validation_error' } } });
      const fields = answer.body.error.details?.map(({ field }) => field);
      expect(fields).toEqual(
        expect.arrayContaining([
          'state.tables.messages[0].status',
          'state.tables.endpoints[0].secret',
          'state.tables.events[0].data',
        ]),
      );
    }
    for (const row of Object.values(file.state.tables).flat()) row.seq = 0.5;
    expect((await world.call('PUT', '/_sandbox/snapshots/bad', file)).body.error.details).toHaveLength(20);
    for (const body of [{ ...file, version: 99 }, { ...file, state: {} }, {}, [], { ...file, taken_at: 'once' }]) {
      expect(await world.call('PUT', '/_sandbox/snapshots/bad', body)).toMatchObject({
        status: 400,
        body: { error: { code: 'validation_error' } },
      });
    }
    expect((await world.items('/_sandbox/snapshots')).map(({ name }) => name)).toEqual(['good']);
    expect(await world.get('/_sandbox/snapshots/good')).toEqual(kept);
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

  it('is one of the newest twenty', async ({ world }) => {
    for (let n = 1; n <= 22; n += 1) await world.post('/_sandbox/snapshots', { name: `s${n}` });
    const names = (await world.items<Control['SnapshotInfo']>('/_sandbox/snapshots')).map(({ name }) => name);
    expect(names).toEqual(Array.from({ length: 20 }, (_, n) => `s${n + 3}`));
    expect(await world.call('GET', '/_sandbox/snapshots/s2')).toMatchObject({ status: 404 });
  });

  it('of more than 64 MB is refused, and nothing of it is left', async ({ world }) => {
    const { store } = sandbox.accounts.of(world.key);
    store.update(() => {
      for (let n = 0; n < 1100; n += 1) {
        const seq = store.nextSeq();
        store.tables.sinkRequests.insert({
          ...{ id: `sink_${seq}`, seq, sink: 'app', atMs: startMs, method: 'POST', path: '/app', headers: {} },
          ...{ body: 'x'.repeat(65_536), signatureValid: null, answered: 200 },
        });
      }
    });
    expect(await world.call('POST', '/_sandbox/snapshots', { name: 'big' })).toMatchObject({
      status: 429,
      body: { error: { code: 'limit_reached', message: expect.stringContaining('(limit: 64 MB)') as string } },
    });
    expect(await world.items('/_sandbox/snapshots')).toEqual([]);
  });
});
