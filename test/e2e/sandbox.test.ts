import { describe, expect } from 'vitest';
import { newWorld, type Control, type World } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';

const start = Date.UTC(2026, 2, 1, 9);
const to = '+12025550110';

const { sandbox, it } = useSandbox({ clock: frozen, logLevel: 'silent' });

const received = (world: World, name = 'app') => world.items<Control['SinkRequest']>(`/_sandbox/sink/${name}/received`);

describe('the sink', () => {
  it('takes deliveries without a network, answers as scripted, and judges each signature', async ({ world }) => {
    const { secret } = await world.register('https://sink.sandbox/app', ['message.received']);
    const respond = [{ status: 503, times: 2 }, { status: 404, times: 1, delay: '5ms' }, { status: 201 }];
    expect(await world.put('/_sandbox/sink/app', { respond })).toMatchObject({ name: 'app', respond });
    await world.inbound(to);
    await world.advance('2h');
    const requests = await received(world);
    expect(requests.map(({ answered }) => answered)).toEqual([503, 503, 404, 201]);
    expect(requests.map(({ at }) => Date.parse(at) - start)).toEqual([0, 1, 6, 36].map((minutes) => minutes * 60_000));
    expect(requests.every(({ signature_valid }) => signature_valid === true)).toBe(true);
    const [first] = requests;
    expect(first).toMatchObject({ method: 'POST', path: '/app', json: JSON.parse(first?.body ?? '') as object });
    expect(first?.headers).toMatchObject({ 'x-service-attempt': '1', host: 'sink.sandbox' });
    expect(await world.deliveries()).toMatchObject([
      {
        state: 'delivered',
        payload: first?.body,
        attempts: [{}, {}, {}, { status: 201, sent_to: 'https://sink.sandbox/app' }],
      },
    ]);
    expect(JSON.stringify(requests)).not.toContain(secret);
  });

  it('answers 200 again when its script is over, or taken away', async ({ world }) => {
    await world.register('https://sink.sandbox/app', ['message.received']);
    await world.put('/_sandbox/sink/app', { respond: [{ status: 500, times: 1 }] });
    await world.inbound(to);
    await world.inbound(to);
    await world.idle();
    expect((await received(world)).map(({ answered }) => answered)).toEqual([500, 200]);
    await world.put('/_sandbox/sink/app', { respond: [{ status: 500 }] });
    await world.inbound(to);
    await world.idle();
    await world.put('/_sandbox/sink/app', { respond: [] });
    await world.inbound(to);
    await world.idle();
    expect((await received(world)).map(({ answered }) => answered)).toEqual([500, 200, 500, 200]);
  });

  it('may be posted to from outside, and tells a false signature from a true one and from none to judge by', async ({
    world,
  }) => {
    await world.register('https://sink.sandbox/app', ['message.received']);
    await world.inbound(to);
    await world.idle();
    const [genuine] = await received(world);
    const signature = String(genuine?.headers['x-service-signature']);
    const post = (name: string, body: string, header: string, type = 'application/json') =>
      world.call<Control['SinkAnswer']>('POST', `/_sandbox/sink/${name}`, body, {
        'x-service-signature': header,
        'content-type': type,
      });
    const body = genuine?.body ?? '';
    expect((await post('app', body, signature)).body.signature_valid).toBe(true);
    expect((await post('app', `${body} `, signature)).body.signature_valid).toBe(false);
    expect((await post('app', body, signature.replace('sha256=', ''))).body.signature_valid).toBe(false);
    expect((await post('elsewhere', body, signature)).body.signature_valid).toBeNull();
    expect((await post('elsewhere', '<xml/>', '', 'application/xml')).status).toBe(200);
    const [, xml] = await received(world, 'elsewhere');
    expect(xml).toMatchObject({ body: '<xml/>', signature_valid: null, path: '/elsewhere' });
    expect(xml).not.toHaveProperty('json');
  });

  it('belongs to its account, and may be several under one host', async () => {
    const [one, two] = [newWorld(sandbox), newWorld(sandbox)];
    for (const world of [one, two]) await world.register('https://sink.sandbox/app/deep?x=1', ['message.received']);
    await one.register('https://sink.sandbox/second', ['message.received']);
    await one.inbound(to);
    await one.idle();
    expect(await received(one)).toMatchObject([{ path: '/app/deep?x=1', signature_valid: true }]);
    expect(await received(one, 'second')).toHaveLength(1);
    expect(await received(two)).toEqual([]);
  });

  it('takes no longer than a minute to respond', async ({ world }) => {
    const refused = await world.call('PUT', '/_sandbox/sink/app', { respond: [{ status: 500, delay: '1m1s' }] });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'validation_error' } } });
  });
});

describe('the sandbox about itself', () => {
  it('answers 500 rather than break its document, also where a bug has spoiled a row', async ({ world }) => {
    const id = await world.text();
    Object.assign(sandbox.accounts.of(world.key).store.tables.messages.get(id)!, { wamid: 'not a wamid' });
    const { status, body } = await world.call('GET', `/v1/messages/${id}`);
    expect([status, body.error.message]).toEqual([
      500,
      expect.stringMatching(/^The response of the sandbox to getMessage/),
    ]);
  });

  it('says what it is and what it limits', async () => {
    const info = await newWorld(sandbox).get<Control['Info']>('/_sandbox/info');
    expect(info).toMatchObject({ name: 'messaging-sandbox', host: '127.0.0.1', port: sandbox.port, mode: 'memory' });
    expect(info.errors).toContainEqual(expect.objectContaining({ name: 'undeliverable', channel_code: 131026 }));
    expect(info.limits.body_bytes).toBe(1024 * 1024);
    expect(info).not.toHaveProperty('data_dir');
  });
});
