/**
 * `messaging-sandbox listen` as a user runs it: the built command, a real server, and a sandbox that stops and
 * restarts.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { describe, expect, inject, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox.js';
import { sign } from '../../src/webhooks/sign.js';
import { expectRejected, runHere } from '../support/cli-here.js';
import { newWorld } from '../support/client.js';
import { closing } from '../support/closing.js';
import { freePort, receiver } from '../support/receivers.js';
import { startTestSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';

const start = async (port = 0): Promise<Sandbox> => closing(await startTestSandbox({ clock: frozen, port }));

class Listening {
  readonly #child;
  readonly #lines: AsyncIterator<string>;
  readonly #notices: AsyncIterator<string>;
  readonly ended: Promise<number | null>;

  constructor(args: readonly string[]) {
    this.#child = spawn(process.execPath, [inject('cli').main, 'listen', ...args]);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    this.#notices = createInterface({ input: this.#child.stderr })[Symbol.asyncIterator]();
    this.ended = new Promise((resolve) => this.#child.on('close', resolve));
    closing(this);
  }

  line = async (): Promise<string> => String((await this.#lines.next()).value);
  notice = async (): Promise<string> => String((await this.#notices.next()).value);
  json = async (): Promise<unknown> => JSON.parse(await this.line());

  stop(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    this.#child.kill(signal);
    return this.ended;
  }

  close = (): Promise<number | null> => this.stop('SIGKILL');
}

const listen = ({ url }: Sandbox, key: string, ...args: string[]) =>
  new Listening(['--url', url, '--key', key, ...args]);

describe('listen', () => {
  it('prints the secret first, passes deliveries on, says a line for each, and leaves no endpoint behind', async () => {
    const sandbox = await start();
    const world = newWorld(sandbox, 'listen-lines');
    const app = await receiver((response, { body }) => {
      response.statusCode = body.includes('please fail') ? 500 : 202;
      response.end('seen');
    });
    const target = `http://127.0.0.1:${app.port}/hook?from=sandbox`;
    const cli = listen(sandbox, world.key, '--forward-to', target, '--events', 'message.received');
    const secret = /^Signing secret: (whsec_\w+)$/.exec(await cli.line())?.[1] ?? '';
    expect(await cli.line()).toBe(`Forwarding message.received to ${target}. Press Ctrl-C to stop.`);

    const { event_id } = await world.inbound('+12025550110', { text: 'Grüße 👋' });
    expect(await cli.line()).toMatch(
      new RegExp(`^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z  message\\.received  → 202  \\d+ ms  ${event_id}$`),
    );
    const [got] = app.received;
    expect(got).toMatchObject({ method: 'POST', path: '/hook?from=sandbox' });
    expect(got?.headers['host']).toBe(`127.0.0.1:${app.port}`);
    expect(got?.headers['x-service-signature']).toBe(sign(secret, got?.body ?? ''));

    await world.inbound('+12025550110', { text: 'please fail' });
    expect(await cli.line()).toContain('→ 500');
    await world.idle();
    const deliveries = await world.deliveries();
    expect(deliveries.map(({ state, attempts }) => [state, attempts[0]?.status])).toEqual([
      ['delivered', 202],
      ['retrying', 500],
    ]);
    expect((await world.firstDelivery()).attempts[0]?.response?.body).toBe('seen');

    await app.close();
    await world.inbound('+12025550110');
    expect(await cli.line()).toMatch(/→ connection_refused .*No server is listening on port \d+\. Start your server/);
    await world.idle();
    expect((await world.deliveries()).at(-1)).toMatchObject({
      state: 'retrying',
      attempts: [{ status: null, error: 'connection_refused' }],
    });
    expect(await cli.stop()).toBe(0);
    expect(await world.items('/_sandbox/webhooks')).toEqual([]);
  });

  it('comes back to a sandbox that was started anew, with the secret it had', async () => {
    const port = await freePort();
    const first = await start(port);
    const app = await receiver();
    const args = ['--forward-to', `http://127.0.0.1:${app.port}/`, '--json'];
    const cli = listen(first, 'listen-again', ...args);
    const ready = (await cli.json()) as { kind: string; secret: string; webhook_id: string };
    expect(ready).toMatchObject({ kind: 'ready', forward_to: `http://127.0.0.1:${app.port}/` });
    await first.close();
    expect(await cli.notice()).toMatch(/^Connection lost \(the sandbox stops\)/);

    const second = await start(port);
    expect(await cli.notice()).toMatch(/^Connected again/);
    const world = newWorld(second, 'listen-again');
    const { event_id } = await world.inbound('+12025550110');
    expect(await cli.json()).toEqual({
      kind: 'delivery',
      at: expect.any(String) as string,
      type: 'message.received',
      event_id,
      status: 200,
      duration_ms: expect.any(Number) as number,
    });
    const [got] = app.received;
    expect(got?.headers['x-service-signature']).toBe(sign(ready.secret, got?.body ?? ''));
    expect(await cli.stop('SIGTERM')).toBe(0);
  });

  it("shows events in full without a server, with a secret of the user's", async () => {
    const sandbox = await start();
    const world = newWorld(sandbox, 'listen-print');
    const cli = listen(sandbox, world.key, '--print', '--secret', 'whsec_always_the_same');
    expect(await cli.line()).toBe('Signing secret: whsec_always_the_same');
    expect(await cli.line()).toMatch(/^Showing message\.received, .*template\.status\. /);
    const { event_id } = await world.inbound('+12025550110', { text: 'hello' });
    expect(await cli.line()).toContain('→ 200');
    expect(await cli.line()).toBe('  {');
    expect(await cli.line()).toBe(`    "id": "${event_id}",`);
    await world.idle();
    expect((await world.deliveries())[0]?.state).toBe('delivered');
  });

  it.each([
    ['localhost:3000/hook?a=b', 'http://localhost:3000/hook?a=b'],
    ['3000', 'http://localhost:3000/'],
    ['3000/hook', 'http://localhost:3000/hook'],
  ])('takes %s for %s', async (said, meant) => {
    const cli = listen(await start(), 'listen-said', '--forward-to', said);
    await cli.line();
    expect(await cli.line()).toMatch(` to ${meant}. Press Ctrl-C`);
  });

  it('ends when its endpoint is removed', async () => {
    const sandbox = await start();
    const world = newWorld(sandbox, 'listen-removed');
    const cli = listen(sandbox, world.key, '--print', '--json');
    const { webhook_id: id } = (await cli.json()) as { webhook_id: string };
    await world.call('DELETE', `/v1/webhooks/${id}`);
    expect(await cli.notice()).toMatch(/the sandbox ended the connection: the endpoint was removed\.$/);
    expect(await cli.ended).toBe(1);
  });

  it.each([
    ['listen', 'there is no destination'],
    ['listen --forward-to /hook', 'Invalid value "/hook" for --forward-to.'],
    ['listen --forward-to ftp://localhost/', 'Invalid value "ftp://localhost/" for --forward-to.'],
  ])('refuses %s', (line, said) => expectRejected(line, [said]));

  it('says why the sandbox rejects an option', async () => {
    const { url } = await start();
    await expectRejected(`listen --print --events message.statu --url ${url}`, ['Did you mean "message.status"?']);
  });

  it('says who does not let it in, and that nobody is there', async () => {
    const guarded = closing(await startTestSandbox({ controlToken: 'secret' }));
    const refused = await runHere(['listen', '--print', '--url', guarded.url]);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/unauthorized \(401\): .*X-Sandbox-Token/) as string,
    });
    const nobody = await runHere(['listen', '--print', '--url', `http://127.0.0.1:${await freePort()}`]);
    expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining('No server is listening at') as string });
  });
});
