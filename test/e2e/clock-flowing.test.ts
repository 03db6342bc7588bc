import { describe, expect, it } from 'vitest';
import { closing } from '../support/closing.js';
import { newWorld } from '../support/client.js';
import { ManualHost } from '../support/manual-host.js';
import { receiver } from '../support/receivers.js';
import { startTestSandbox } from '../support/sandbox.js';
import { at, startMs } from '../support/scenes.js';

const statusOf = ({ body }: { body: string }): string => (JSON.parse(body) as { data: { status: string } }).data.status;

describe('a clock with a quiet time', () => {
  /** A host whose time the test moves, with an idle period of 150 ms. */
  async function quiet() {
    const host = new ManualHost(startMs);
    const own = closing(
      await startTestSandbox({ clock: { mode: 'auto', scale: 1, startMs: null, quietMs: 150 } }, { hostTime: host }),
    );
    const world = newWorld(own);
    const moved = async (ms: number) => {
      await world.idle();
      host.tick(ms);
      await world.idle();
    };
    return { world, host, moved };
  }

  it('passes with the machine, and jumps to the retry of a delivery once the application is quiet', async () => {
    const { world, moved } = await quiet();
    const app = await receiver((response) => response.writeHead(app.received.length > 1 ? 200 : 500).end());
    await world.register(app.url(), ['message.received']);
    await world.post('/_sandbox/inbound', { from: '+12025550110', settle: false });
    await moved(100);
    expect(app.received).toHaveLength(1);
    await moved(51);
    // It jumps 151 ms after the first response: 150 ms idle, and a third of one for the minute that it skips.
    expect((await world.clock()).now).toBe(at(60_000));
    expect(app.received).toHaveLength(2);
  });

  it('jumps as soon as after any other quiet when a response was awaited in between', async () => {
    const { world, host } = await quiet();
    let respond = (): void => undefined;
    const app = await receiver((response) => {
      respond = () => response.writeHead(200).end();
    });
    await world.register(app.url(), ['message.received']);
    await world.put('/_sandbox/scenario', { version: 1, timeline: [{ at: '1h', inbound: { phone: '+12025550111' } }] });
    await world.put('/_sandbox/clock', { mode: 'auto', quiet_real: '150ms' });
    const first = app.nextRequest();
    await world.post('/_sandbox/inbound', { from: '+12025550110', settle: false });
    await first;
    host.tick(1000);
    respond();
    await world.idle();
    const second = app.nextRequest();
    host.tick(300);
    await second;
    respond();
    expect(Date.parse((await world.clock()).now)).toBeGreaterThanOrEqual(startMs + 3_600_000);
  });

  it('waits anew when the application sends something', async () => {
    const { world, moved } = await quiet();
    await world.put('/_sandbox/scenario', { version: 1, timeline: [{ at: '1h', inbound: { phone: '+12025550110' } }] });
    await world.put('/_sandbox/clock', { mode: 'auto', quiet_real: '150ms' });
    await moved(160);
    await world.register('https://sink.sandbox/app', ['message.received']);
    await moved(160);
    expect((await world.clock()).now).toBe(at(320));
    await moved(10);
    expect((await world.clock()).now).toBe(at(3_600_000));
  });

  it('is taken over by who advances it', async () => {
    const { world } = await quiet();
    await world.advance('1h');
    expect(await world.clock()).toMatchObject({ mode: 'frozen', now: at(3_600_000) });
  });
});

describe('a clock that flows', () => {
  /** A sandbox on a host whose time the test moves; `moved` moves it and waits until the due jobs have finished. */
  async function flowing(clock: { mode: 'real' | 'scaled'; scale: number }) {
    const host = new ManualHost(startMs);
    const own = closing(await startTestSandbox({ clock: { ...clock, startMs: null } }, { hostTime: host }));
    const world = newWorld(own);
    // Attempts in flight end first, because their time limit also runs on this host's time.
    const moved = async (ms: number) => {
      await world.idle();
      host.tick(ms);
      await world.idle();
    };
    return { world, host, moved };
  }

  it('in mode real runs a lifecycle at 300 ms and 1 s of the machine', async () => {
    const { world, moved } = await flowing({ mode: 'real', scale: 1 });
    const app = await receiver();
    await world.register(app.url());
    const id = await world.text();
    const status = async () => (await world.get<{ status: string }>(`/v1/messages/${id}`)).status;
    await moved(299);
    expect(await status()).toBe('sent');
    await moved(1);
    expect(await status()).toBe('delivered');
    await moved(699);
    expect(await status()).toBe('delivered');
    await moved(1);
    expect(await status()).toBe('read');
    expect(app.received.map(statusOf)).toEqual(['sent', 'delivered', 'read']);
    expect((await world.clock()).now).toBe(at(1000));
  });

  it('counts a retry from the start of the attempt, however long its answer took', async () => {
    const { world, host } = await flowing({ mode: 'real', scale: 1 });
    let answer = (): unknown => undefined;
    const app = await receiver((response) => (answer = () => response.writeHead(500).end()));
    await world.register(app.url(), ['message.received']);
    const first = app.nextRequest();
    await world.inbound('+12025550110');
    await first;
    host.tick(3000);
    answer();
    await world.idle();
    expect((await world.clock()).now).toBe(at(3000));
    expect(await world.deliveries()).toMatchObject([{ attempts: [{ at: at(0) }], next_attempt_at: at(60_000) }]);
  });

  it('stops when it is frozen and goes on when it is set to real', async () => {
    const { world, moved } = await flowing({ mode: 'real', scale: 1 });
    const id = await world.text();
    const status = async () => (await world.get<{ status: string }>(`/v1/messages/${id}`)).status;
    await world.put('/_sandbox/clock', { mode: 'frozen' });
    await moved(60_000);
    expect(await status()).toBe('sent');
    await world.put('/_sandbox/clock', { mode: 'real' });
    await moved(300);
    expect(await status()).toBe('delivered');
    expect((await world.clock()).now).toBe(at(300));
  });
});
