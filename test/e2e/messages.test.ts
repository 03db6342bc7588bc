import { describe, expect } from 'vitest';
import { newWorld, type Control, type World } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';
import { at, frozen } from '../support/scenes.js';

const to = '+12025550110';

const { sandbox, it } = useSandbox({ clock: frozen });

const report = (world: World, id: string, body: object) => world.call('POST', `/_sandbox/messages/${id}/status`, body);
const stored = (world: World, id: string) => world.get<Control['Message']>(`/_sandbox/messages/${id}`);

describe('the channel reports by hand', () => {
  it('moves the message, fires its event, and drops what its lifecycle had planned once it is final', async ({
    world,
  }) => {
    const id = await world.text();
    await world.advance('100ms');
    expect((await report(world, id, { status: 'read' })).body).toMatchObject({ message_id: id, status: 'read' });
    await world.advance('1h');
    const message = await stored(world, id);
    expect(message.history).toEqual([
      { status: 'accepted', at: at(0) },
      { status: 'sent', at: at(0) },
      { status: 'read', at: at(100), by: 'command' },
    ]);
    expect(message.explain.by).toBe('default');
    expect((await world.events(`?message_id=${id}`)).map(({ data }) => data.status)).toEqual(['sent', 'read']);
    expect((await world.clock()).pending).toBe(0);
  });

  it('is not told twice of a state that was reported early', async ({ world }) => {
    const id = await world.text();
    await report(world, id, { status: 'delivered' });
    await world.advance('1h');
    expect((await world.events(`?message_id=${id}`)).map(({ data }) => data.status)).toEqual([
      'sent',
      'delivered',
      'read',
    ]);
  });

  it.each([
    [undefined, 'undeliverable', 131026],
    ['recipient_opted_out', 'recipient_opted_out', 131050],
    [131053, 'media_upload_failed', 131053],
  ])('failed with error %j', async (error, code, channelCode) => {
    const world = newWorld(sandbox);
    const id = await world.text();
    await report(world, id, { status: 'failed', ...(error !== undefined && { error }) });
    const expected = { code, channel_code: channelCode };
    expect(await world.get(`/v1/messages/${id}`)).toMatchObject({ status: 'failed', error: expected });
    const events = await world.events(`?message_id=${id}`);
    expect(events.at(-1)?.data).toMatchObject({ status: 'failed', error: expected });
  });

  it.each([
    [{}, 'status'],
    [{ status: 'accepted' }, 'status'],
    [{ status: 'delivered', error: 'undeliverable' }, 'error'],
    [{ status: 'failed', error: 'no_such_failure' }, 'error'],
    [{ status: 'failed', error: 1 }, 'error'],
  ])('refuses %j', async (body, field) => {
    const world = newWorld(sandbox);
    const id = await world.text();
    const answer = await report(world, id, body);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'validation_error' } } });
    expect(answer.body.error.details?.[0]?.field).toBe(field);
  });

  it('knows messages that were sent, and no others', async ({ world }) => {
    const { message_id } = await world.inbound(to);
    for (const id of [message_id, 'none']) {
      expect(await report(world, id, { status: 'read' })).toMatchObject({ status: 404 });
      expect(await world.call('GET', `/_sandbox/messages/${id}`)).toMatchObject({ status: 404 });
    }
  });
});

describe('everything sent', () => {
  it('is listed with batches entry by entry, each with why; inbound messages and codes are not', async ({ world }) => {
    await world.template('promo');
    await world.template('login', { category: 'authentication', body: '{{1}}' });
    const batch = await world.send([to, 'bad', '+12025550111'], 'promo');
    await world.post('/v1/otp/send', { to });
    await world.inbound(to);
    await world.reply(to);
    const all = await world.items<Control['Message']>('/_sandbox/messages');
    expect(all.map((message) => [message.to, message.type, message.batch_id])).toEqual([
      [to, 'template', batch.batch_id],
      ['+12025550111', 'template', batch.batch_id],
      [to, 'text', undefined],
    ]);
    expect(batch.results.filter(({ ok }) => ok).map(({ message_id }) => message_id)).toEqual(
      all.slice(0, 2).map(({ message_id }) => message_id),
    );
    for (const message of all)
      expect(message.explain).toMatchObject({ by: 'default', text: expect.any(String) as string });
  });

  it('says how a magic number decided', async ({ world }) => {
    await world.template('promo');
    const { message_id } = await world.send('+12025550121', 'promo');
    await world.advance('1m');
    const { status, explain } = await stored(world, message_id);
    expect([status, explain.by]).toEqual(['failed', 'magic']);
    expect(explain.id).toMatch(/21$/);
  });
});

describe('templates on the platform', () => {
  const review = (world: World, id: string, body: object) =>
    world.call('POST', `/_sandbox/templates/${id}/review`, body);
  const setStatus = (world: World, id: string, status: string) =>
    world.call('POST', `/_sandbox/templates/${id}/status`, { status });

  it('are approved by themselves after a while, unless a review by hand comes first', async ({ world }) => {
    const [mine, theirs] = [await world.template('one', {}, false), await world.template('two', {}, false)];
    expect((await review(world, mine, { decision: 'rejected', reason: 'Too loud.' })).body).toMatchObject({
      status: 'rejected',
      rejection_reason: 'Too loud.',
    });
    await world.advance('25h');
    expect(await world.get(`/v1/templates/${mine}`)).toMatchObject({
      status: 'rejected',
      rejection_reason: 'Too loud.',
    });
    expect(await world.get(`/v1/templates/${theirs}`)).toMatchObject({ status: 'approved', rejection_reason: null });
    const events = await world.events('?type=template.status');
    expect(events.map(({ data }) => [data.template_id, data.status])).toEqual([
      [mine, 'rejected'],
      [theirs, 'approved'],
    ]);
  });

  it('rejected without a reason get a general one', async ({ world }) => {
    const id = await world.template('one', {}, false);
    await review(world, id, { decision: 'rejected' });
    const { rejection_reason } = await world.get<{ rejection_reason: string }>(`/v1/templates/${id}`);
    expect(rejection_reason).toMatch(/\w+ \w+/);
  });

  it('are reviewed once', async ({ world }) => {
    const id = await world.template('one');
    for (const decision of ['approved', 'rejected']) {
      expect(await review(world, id, { decision })).toMatchObject({
        status: 409,
        body: { error: { code: 'illegal_transition' } },
      });
    }
    expect(await review(world, 'none', { decision: 'approved' })).toMatchObject({ status: 404 });
    for (const body of [{}, { decision: 'maybe' }, { decision: 'rejected', reason: '' }]) {
      expect(await review(world, id, body), JSON.stringify(body)).toMatchObject({ status: 400 });
    }
  });

  it('are not brought back once deleted, nor paused or approved by status while pending', async ({ world }) => {
    const [id, pending] = [await world.template('one'), await world.template('two', {}, false)];
    for (const status of ['paused', 'approved', 'deleted']) {
      expect((await setStatus(world, id, status)).body).toMatchObject({ status });
    }
    for (const status of ['approved', 'paused', 'deleted']) {
      const refused = { status: 409, body: { error: { code: 'illegal_transition' } } };
      expect(await setStatus(world, id, status)).toMatchObject(refused);
      if (status !== 'deleted') expect(await setStatus(world, pending, status)).toMatchObject(refused);
    }
  });

  it('are listed as stored, with body and buttons, by state and name', async ({ world }) => {
    const buttons = [{ type: 'quick_reply', text: 'Stop', extra: { kept: true } }];
    const one = await world.template('one', { body: 'Hi {{1}}', buttons }, false);
    await world.template('two');
    expect(await world.get(`/_sandbox/templates/${one}`)).toMatchObject({ id: one, body: 'Hi {{1}}', buttons });
    const names = async (query: string) => (await world.items(`/_sandbox/templates${query}`)).map(({ name }) => name);
    expect(await names('')).toEqual(['one', 'two']);
    expect(await names('?status=approved')).toEqual(['two']);
    expect(await names('?name=one')).toEqual(['one']);
    expect(await names('?name=one&status=approved')).toEqual([]);
  });
});

describe('one-time codes', () => {
  it('are shown with code, attempts left and state', async ({ world }) => {
    await world.template('login', { category: 'authentication', body: '{{1}}' });
    const ask = async (body: object = {}) =>
      (await world.post<{ otp_id: string }>('/v1/otp/send', { to, ...body })).otp_id;
    const verify = (otp_id: string, code: string) => world.call('POST', '/v1/otp/verify', { otp_id, code });
    const shown = (id: string) => world.get<Control['Otp']>(`/_sandbox/otps/${id}`);
    const [verified, locked, expired, active] = [
      await ask(),
      await ask({ length: 4 }),
      await ask({ expiry_seconds: 60 }),
      await ask(),
    ];

    const { code } = await shown(verified);
    expect((await verify(verified, code)).body).toEqual({ valid: true });
    const { code: other } = await shown(locked);
    const wrong = other === '0000' ? '1111' : '0000';
    for (const attempts_remaining of [4, 3, 2, 1, 0]) {
      expect((await verify(locked, wrong)).body).toEqual({ valid: false, attempts_remaining });
      expect(await shown(locked)).toMatchObject({ attempts_remaining });
    }
    expect((await verify(locked, other)).body).toMatchObject({ error: { code: 'otp_max_attempts' } });
    await world.advance('59s999ms');
    expect(await shown(expired)).toMatchObject({ state: 'active' });
    await world.advance('1ms');
    expect(await shown(expired)).toMatchObject({ state: 'expired', expires_at: at(60_000) });
    expect(await shown(verified)).toMatchObject({ state: 'verified', verified_at: at(0), template: 'login' });
    expect(await shown(locked)).toMatchObject({ state: 'locked', attempts_remaining: 0 });
    expect(await shown(active)).toMatchObject({ state: 'active', attempts_remaining: 5, verified_at: null });
    expect((await world.items<Control['Otp']>('/_sandbox/otps')).map(({ otp_id }) => otp_id)).toEqual([
      verified,
      locked,
      expired,
      active,
    ]);
    expect(await world.events('?type=otp.verified')).toMatchObject([{ data: { otp_id: verified } }]);
    expect(await world.events('?type=message.status')).toEqual([]);
    expect((await world.call('GET', '/_sandbox/otps/none')).status).toBe(404);
  });
});
