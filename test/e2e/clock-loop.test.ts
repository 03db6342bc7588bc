import { Agent, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { closing } from '../support/closing.js';
import { newWorld } from '../support/client.js';
import { startReceiver } from '../support/receivers.js';
import { startTestSandbox } from '../support/sandbox.js';

const start = Date.UTC(2026, 2, 1, 9);

describe('a chain that never ends at one instant', () => {
  it('is told as a loop that names its cycle, and the account can go on', async () => {
    const own = closing(
      await startTestSandbox({ clock: { mode: 'frozen', scale: 1, startMs: start }, maxJournal: 100 }),
    );
    const world = newWorld(own);
    let looping = true;
    // Ten thousand jobs make thousands of requests, so the receiver keeps its connection open.
    const agent = new Agent({ keepAlive: true });
    const pong = JSON.stringify({ to: '+12025550119', type: 'text', text: 'pong' });
    const headers = { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' };
    const app = await startReceiver((response) => {
      if (!looping) response.end();
      else {
        request(`${own.url}/v1/messages`, { method: 'POST', agent, headers }, (answer) => {
          answer.resume().once('end', () => response.end());
        }).end(pong);
      }
    });
    closing(app);
    closing({ close: () => agent.destroy() });
    await world.register(app.url());
    await world.text('+12025550119', 'ping');
    const answer = await world.call('POST', '/_sandbox/clock/advance', { by: '1s' });
    looping = false;
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'clock_loop' } } });
    expect(answer.body.error.message).toContain('delivery.attempt');
    expect(answer.body.error.cycle?.join(' ')).toContain('delivery.attempt');
    expect((await world.clock()).now).toBe(new Date(start).toISOString());
    await world.idle();
    expect(await world.advance('1s')).toMatchObject({ now: new Date(start + 1000).toISOString() });
  }, 240_000);
});
