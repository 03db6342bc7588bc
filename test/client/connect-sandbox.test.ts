/** Connecting, and the errors if no server or another program is listening. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectSandbox } from '../../src/index.js';
import type { Sandbox } from '../../src/sandbox.js';
import { freePort, startReceiver, type Receiver } from '../support/receivers.js';
import { startTestSandbox } from '../support/sandbox.js';

let sandbox: Sandbox;
let stranger: Receiver;
beforeAll(async () => {
  sandbox = await startTestSandbox({ controlToken: 'sesame' });
  stranger = await startReceiver((response) => response.writeHead(404).end('<h1>Not here</h1>'));
});
afterAll(() => Promise.all([sandbox.close(), stranger.close()]));

describe('connectSandbox', () => {
  it('finds nobody', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    await expect(connectSandbox({ url })).rejects.toMatchObject({
      name: 'SandboxError',
      code: 'unreachable',
      status: null,
      message: expect.stringContaining(`No server is listening at ${url}`) as string,
    });
    await expect(connectSandbox({ url })).rejects.toThrow('Start a sandbox with "messaging-sandbox start"');
  });

  it('finds another program', async () => {
    const url = `http://127.0.0.1:${stranger.port}`;
    await expect(connectSandbox({ url })).rejects.toMatchObject({ code: 'not_a_sandbox', status: 404 });
  });

  it('finds a program that answers to everything', async () => {
    const friendly = await startReceiver((response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"name":"another"}'),
    );
    const url = `http://127.0.0.1:${friendly.port}`;
    await expect(connectSandbox({ url })).rejects.toMatchObject({ code: 'not_a_sandbox', status: null });
    await friendly.close();
  });

  it.each(['localhost:4242', 'not a url', 'ftp://localhost'])('refuses %s', async (url) => {
    await expect(connectSandbox({ url })).rejects.toMatchObject({
      code: 'invalid_option',
      message: `Invalid value "${url}" for url. Expected the URL of a sandbox, such as http://127.0.0.1:4242.`,
    });
  });

  it.each(['http://127.0.0.1:4242/v1', 'http://127.0.0.1:4242/v1/'])('says to leave out the end of %s', async (url) => {
    const message = `Invalid value "${url}" for url. Leave out the /v1: http://127.0.0.1:4242.`;
    await expect(connectSandbox({ url })).rejects.toMatchObject({ code: 'invalid_option', message });
    vi.stubEnv('MESSAGING_BASE_URL', url);
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(connectSandbox()).rejects.toThrow('for MESSAGING_BASE_URL. Leave out the /v1');
  });

  it('tells when the sandbox was started, so that one of yesterday can be told', async () => {
    const client = await connectSandbox({ url: `${sandbox.url}/`, controlToken: 'sesame' });
    const { started_at: started, mode } = await client.info();
    expect(mode).toBe('memory');
    expect(Math.abs(Date.now() - Date.parse(started))).toBeLessThan(120_000);
  });

  it('takes the address alone, or all of it from the environment', async () => {
    await expect(connectSandbox('not a url')).rejects.toThrow('Invalid value "not a url" for url.');
    vi.stubEnv('MESSAGING_BASE_URL', sandbox.url);
    vi.stubEnv('MESSAGING_API_KEY', 'from-ci');
    vi.stubEnv('MESSAGING_CONTROL_TOKEN', 'sesame');
    onTestFinished(() => void vi.unstubAllEnvs());
    const client = await connectSandbox();
    expect([client.url, client.apiKey]).toStrictEqual([sandbox.url, 'from-ci']);
    expect(await client.events()).toStrictEqual([]);
  });

  it('needs the control token', async () => {
    const { url } = sandbox;
    await expect(connectSandbox({ url })).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
    const client = await connectSandbox({ url, controlToken: 'sesame' });
    expect(await client.events()).toStrictEqual([]);
    const beside = await connectSandbox(url, { key: 'orders', controlToken: 'sesame' });
    expect([beside.url, beside.apiKey]).toStrictEqual([client.url, 'orders']);
    await beside.close();
    await client.close();
    await expect(client.events()).rejects.toMatchObject({ code: 'closed' });
  });
});
