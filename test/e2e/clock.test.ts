import { describe, expect } from 'vitest';
import { newWorld, type Control, type World } from '../support/client.js';
import { receiver } from '../support/receivers.js';
import { useSandbox } from '../support/sandbox.js';
import { at, frozen } from '../support/scenes.js';

const { sandbox, it } = useSandbox({ clock: frozen });
const statusOf = ({ body }: { body: string }): string => (JSON.parse(body) as { data: { status: string } }).data.status;

const advance = (world: World, body: object) => world.post<Control['AdvanceResult']>('/_sandbox/clock/advance', body);
const refused = (world: World, body: object) => world.call('POST', '/_sandbox/clock/advance', body);

describe('a frozen clock', () => {
  it('stands still until told, but what is due now happens now', async () => {
    const app = await receiver();
    const world = newWorld(sandbox);
    await world.register(app.url());
    const id = await world.text();
    await world.idle();
    expect(app.received.map(statusOf)).toEqual(['sent']);
    expect(await world.clock()).toEqual({
      now: at(0),
      mode: 'frozen',
      scale: 1,
      pending: 2,
      next_due: at(300),
    });
    expect(await world.get(`/v1/messages/${id}`)).toMatchObject({ status: 'sent', created_at: at(0) });
  });
});

describe('an advance', () => {
  it('says what ran, in order and each at its instant, and how many attempts were made', async () => {
    const app = await receiver();
    const world = newWorld(sandbox);
    await world.register(app.url());
    const id = await world.text();
    await world.idle();
    const moved = await world.advance('1s');
    const [, delivered, read] = await world.deliveries();
    expect(moved).toMatchObject({
      now: at(1000),
      ran: [
        { at: at(300), job: 'message.status', subject: id, status: 'delivered' },
        { at: at(300), job: 'delivery.attempt', subject: delivered?.id, event_type: 'message.status' },
        { at: at(1000), job: 'message.status', subject: id },
        { at: at(1000), job: 'delivery.attempt', subject: read?.id },
      ],
      ran_total: 4,
      deliveries: 2,
      pending: 0,
    });
    expect((await world.events('?type=message.status')).map(({ created_at }) => created_at)).toEqual(
      [0, 300, 1000].map(at),
    );
  });

  it('settles: nothing is in flight and nothing is due any more when it returns', async () => {
    const app = await receiver((response, _request, raw) => {
      // Responds only once the request's socket is idle, well after the start of the attempt.
      setImmediate(() => setImmediate(() => setImmediate(() => response.writeHead(raw.complete ? 200 : 500).end())));
    });
    const world = newWorld(sandbox);
    await world.register(app.url());
    await world.template('promo');
    await world.send(
      Array.from({ length: 30 }, (_, i) => `+1415555011${i % 10}`),
      'promo',
    );
    const moved = await world.advance('2s');
    expect(app.received).toHaveLength(90);
    expect(moved.pending).toBe(0);
    const states = (await world.deliveries('?limit=1000')).map(({ state }) => state);
    expect(states).toEqual(Array<string>(90).fill('delivered'));
    expect(await world.post('/_sandbox/idle?timeout=0s')).toMatchObject({ idle: true });
  });

  it('to an instant already reached runs what is due and stays', async ({ world }) => {
    expect(await advance(world, { to: at(0) })).toMatchObject({ now: at(0), ran: [] });
    expect(await advance(world, { by: '0s' })).toMatchObject({ now: at(0) });
    expect(await advance(world, { to: '2026-03-01T10:00:00.25+01:00' })).toMatchObject({ now: at(250) });
  });

  it('does not go back, nor beyond the last year, nor to two places at once', async ({ world }) => {
    await world.advance('1h');
    for (const [body, field] of [
      [{ to: at(0) }, 'to'],
      [{ by: '36500d', to: at(0) }, ''],
      [{}, ''],
      [{ by: '-1h' }, 'by'],
      [{ by: 60 }, 'by'],
      [{ by: '90 minutes' }, 'by'],
      [{ until: 'forever' }, 'until'],
      [{ to: '10000-01-01T00:00:00Z' }, 'to'],
      [{ by: '1h', max: '2x' }, 'max'],
    ] as const) {
      const answer = await refused(world, body);
      expect(answer, JSON.stringify(body)).toMatchObject({
        status: 400,
        body: { error: { code: 'validation_error' } },
      });
      if (field !== '') expect(answer.body.error.details?.[0]?.field, JSON.stringify(body)).toBe(field);
    }
    expect((await world.clock()).now).toBe(at(3_600_000));
  });

  it('until next runs the next job only, with what it causes at that instant', async () => {
    const app = await receiver();
    const world = newWorld(sandbox);
    await world.register(app.url());
    const id = await world.text();
    await world.idle();
    const first = await advance(world, { until: 'next' });
    expect(first).toMatchObject({ now: at(300), deliveries: 1, pending: 1 });
    expect(first.ran.map(({ job }) => job)).toEqual(['message.status', 'delivery.attempt']);
    const second = await advance(world, { until: 'next' });
    expect(second).toMatchObject({ now: at(1000), pending: 0 });
    expect(second.ran[0]).toMatchObject({ at: at(1000), job: 'message.status', subject: id });
    expect(await advance(world, { until: 'next' })).toMatchObject({ now: at(1000), ran: [], deliveries: 0 });
  });

  it('until idle follows progress alone: a retry that would go on for a day does not pull it', async () => {
    const app = await receiver((response) => response.writeHead(500).end());
    const world = newWorld(sandbox);
    await world.register(app.url(), ['template.status', 'message.status']);
    await world.template('later', {}, false);
    await world.text();
    const moved = await advance(world, { until: 'idle' });
    expect(moved.now).toBe(at(1000));
    // Retries and the deadline of the failure streak are still pending.
    expect(moved.pending).toBeGreaterThan(1);
    expect(await world.items('/_sandbox/templates')).toMatchObject([{ status: 'approved' }]);
    expect(await advance(world, { until: 'idle' })).toMatchObject({ now: at(1000), ran: [], deliveries: 0 });
  });

  it('until idle goes no further than max', async ({ world }) => {
    const id = await world.text();
    expect(await advance(world, { until: 'idle', max: '500ms' })).toMatchObject({ now: at(300), pending: 1 });
    expect(await world.get(`/_sandbox/messages/${id}`)).toMatchObject({ status: 'delivered' });
    expect(await advance(world, { until: 'idle', max: '1s' })).toMatchObject({ now: at(1000), pending: 0 });
  });

  it('waits after each step for a receiver that goes on after its answer, with settle_real', async ({ world }) => {
    const replies: Promise<unknown>[] = [];
    // Responds first and calls back afterwards. Without the wait, that call would arrive after time has moved on.
    const app = await receiver((response, { body }) => {
      response.end(() => {
        if (statusOf({ body }) === 'delivered')
          replies.push(world.inbound('+12025550117', { text: 'after the answer' }));
      });
    });
    await world.register(app.url());
    await world.text();
    await advance(world, { by: '1h', settle_real: '250ms' });
    expect(replies).toHaveLength(1);
    await Promise.all(replies);
    const [inbound] = await world.events('?type=message.received');
    expect(inbound?.created_at).toBe(at(300));
  });
});

describe('setting the clock', () => {
  it('changes only what is given', async ({ world }) => {
    expect(await world.put('/_sandbox/clock', { now: '2026-03-02T00:00:00Z' })).toMatchObject({
      now: '2026-03-02T00:00:00.000Z',
      mode: 'frozen',
    });
    expect(await world.put('/_sandbox/clock', { scale: 60 })).toMatchObject({ mode: 'scaled', scale: 60 });
    expect(await world.put('/_sandbox/clock', { mode: 'frozen' })).toMatchObject({ mode: 'frozen', scale: 1 });
    await world.text();
    for (const body of [{}, { mode: 'backwards' }, { scale: 0 }, { scale: 2, mode: 'frozen' }, { now: at(0) }]) {
      expect(await world.call('PUT', '/_sandbox/clock', body), JSON.stringify(body)).toMatchObject({
        status: 400,
        body: { error: { code: 'validation_error' } },
      });
    }
  });

  it('is refused whole: time does not move for a call that asks for two modes', async ({ world }) => {
    await world.text();
    const answer = await world.call('PUT', '/_sandbox/clock', { now: at(60_000), mode: 'frozen', scale: 2 });
    expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ field: 'scale' }] } } });
    expect(await world.clock()).toMatchObject({ now: at(0), pending: 2 });
  });

  it('lives through what falls due on the way', async ({ world }) => {
    const id = await world.text();
    await world.put('/_sandbox/clock', { now: at(60_000) });
    const { history } = await world.get<Control['Message']>(`/_sandbox/messages/${id}`);
    expect(history.map(({ at }) => at)).toEqual([0, 0, 300, 1000].map(at));
  });
});
