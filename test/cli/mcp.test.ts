/** The sandbox as used by an agent: with the SDK's own client, over stdin and stdout. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import type { Sandbox } from '../../src/sandbox.js';
import { World } from '../support/client.js';
import { closing } from '../support/closing.js';
import { startTestSandbox } from '../support/sandbox.js';

const ada = '+12025550123';

async function connect(args: readonly string[] = []): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const command = [inject('cli').main, 'mcp', ...args];
  await client.connect(new StdioClientTransport({ command: process.execPath, args: command, stderr: 'inherit' }));
  return client;
}

async function called(client: Client, name: string, input: object = {}) {
  const result = await client.callTool({ name, arguments: { ...input } });
  const [part] = result.content as { type: string; text: string }[];
  return { isError: result.isError === true, text: part?.text ?? '' };
}

async function json<T = Record<string, unknown>>(client: Client, name: string, input: object = {}): Promise<T> {
  const { isError, text } = await called(client, name, input);
  expect({ isError, text: isError ? text : '' }).toEqual({ isError: false, text: '' });
  return JSON.parse(text) as T;
}

describe('mcp', () => {
  let client: Client;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.close());

  it('lists its tools, each with a description and a schema', async () => {
    const listed = (await client.listTools()).tools;
    const names =
      'start attach status advance inbound send rules scenario_use explore scenario_check wait verdict search';
    expect(listed.map(({ name }) => name)).toEqual([...names.split(' '), 'explain', 'record']);
    for (const { description, inputSchema, annotations } of listed) {
      expect(description?.length).toBeGreaterThan(30);
      expect(inputSchema).toMatchObject({ type: 'object' });
      expect(annotations).toHaveProperty('openWorldHint');
    }
    // An assistant copies an example as it is.
    const examples = listed.flatMap(({ name, description = '' }) =>
      [...description.matchAll(/\{"id".*\}/g)].map(([example]) => [name, JSON.parse(example) as object] as const),
    );
    expect(examples.map(([name]) => name)).toEqual(['rules']);
    const { url } = await startTestSandbox().then(closing);
    for (const [, rule] of examples) await new World(url, 'mcp').post('/_sandbox/rules', rule);
    const open = listed.filter(({ annotations }) => annotations?.openWorldHint === true);
    expect(open.map(({ name }) => name)).toEqual(['start', 'attach', 'explore']);
    expect(client.getInstructions()).toContain('Call start');
  });

  it('says what to do before there is a sandbox', async () => {
    expect(await called(client, 'status')).toEqual({
      isError: true,
      text: 'not_started: No sandbox is attached. Call start for a new one, or attach with the URL of a running one.',
    });
  });

  it('plays a whole story with a sandbox of its own', async () => {
    const started = await json<{ base_url: string; api_key: string }>(client, 'start', {
      clock: 'frozen:2026-03-01T09:00:00Z',
    });
    expect(started).toMatchObject({
      api_key: 'test_default',
      clock: { now: '2026-03-01T09:00:00.000Z', mode: 'frozen' },
    });
    expect((await fetch(`${started.base_url}/livez`)).status).toBe(200);

    const rule = { id: 'blocked', when: 'message.send', match: { text: 'No' }, then: { lifecycle: 'blocked' } };
    expect(await json(client, 'rules', { add: rule })).toEqual([{ id: 'blocked', when: 'message.send', hits: 0 }]);
    expect(await json(client, 'inbound', { from: ada, text: 'Hi' })).toMatchObject({
      message_id: expect.any(String) as string,
      page: `${started.base_url}/_sandbox/ui#/test_default/conversations/${encodeURIComponent(ada)}`,
    });
    const { message_id: id } = await json<{ message_id: string }>(client, 'send', { to: ada, text: 'No' });
    expect(await json(client, 'advance', { by: '1m' })).toMatchObject({ now: '2026-03-01T09:01:00.000Z', pending: 0 });
    expect(
      await json(client, 'wait', { for: 'event', where: { type: 'message.status', status: 'failed' } }),
    ).toMatchObject([{ type: 'message.status', data: { message_id: id, status: 'failed' } }]);
    expect(await json(client, 'search', { in: 'messages' })).toMatchObject({
      items: [{ id, status: 'failed', text: 'No', explain: expect.stringContaining('blocked') as string }],
      more: false,
    });
    expect(await json(client, 'search', { where: { operation: 'message.send' } })).toMatchObject({
      items: [{ operation: 'sendMessage', status: 200 }],
    });
    expect(await json(client, 'explain', { id })).toMatchObject({
      kind: 'messages',
      explain: { by: 'rule', id: 'blocked' },
      history: [{ status: 'accepted' }, { status: 'sent' }, { status: 'failed' }],
    });
    expect(await json(client, 'explain', { id: 'req_none' })).toMatchObject({ found: false });
    expect((await called(client, 'record')).text).toMatch(/^version: 1\nname: recorded\n/);
    expect(await json(client, 'rules', { remove: 'blocked' })).toEqual([]);
  });

  it('attaches to another account of its own sandbox, which goes on running', async () => {
    const { base_url: url } = await json<{ base_url: string }>(client, 'start', { clock: 'frozen' });
    expect(await json(client, 'attach', { url, key: 'second' })).toMatchObject({ base_url: url, api_key: 'second' });
    await json(client, 'inbound', { from: ada, text: 'Hi' });
    await json(client, 'attach', { url });
    expect(await json(client, 'search', { in: 'messages' })).toMatchObject({ items: [] });
  });

  it('checks, activates and evaluates scenarios', async () => {
    const wrong = await called(client, 'scenario_check', { scenario: 'version: 1\nrules: [{ when: message.sent }]\n' });
    expect(wrong.isError).toBe(true);
    expect(wrong.text).toMatch(/^scenario_invalid: .*message\.send/s);
    const scenario = 'version: 1\nname: asks\nexpect: [{ at: finish, that: messages, min: 1 }]\n';
    expect(await json(client, 'scenario_check', { scenario })).toMatchObject({ valid: true });
    expect(await json(client, 'scenario_use', { scenario })).toMatchObject({ name: 'asks' });
    expect(await json(client, 'verdict')).toMatchObject({
      scenario: 'asks',
      passed: false,
      reason: 'no_calls',
      checks: 1,
      failed: [{ expected: 'at least 1', found: '0 messages' }],
    });
  });

  it(
    'explores a command: the failure that breaks it, and a scenario that repeats it',
    { timeout: 120_000 },
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'mcp-explore-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      // It sends once, and treats every response as a success. A process that loads `fetch` takes twice as long.
      const careless = `
      import { request } from 'node:http';
      const { MESSAGING_BASE_URL: url, MESSAGING_API_KEY: key } = process.env;
      const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
      const post = (path, body) => new Promise((done) => {
        request(url + path, { method: 'POST', headers, agent: false, signal: AbortSignal.timeout(3_000) })
          .on('response', (response) => response.resume().on('close', done))
          .on('error', done)
          .end(JSON.stringify(body));
      });
      await post('/_sandbox/inbound', { from: '${ada}', text: 'Hi' });
      await post('/v1/messages', { to: '${ada}', type: 'text', text: 'Hello' });`;
      await writeFile(join(folder, 'story.mjs'), careless);
      const [out, budget] = [join(folder, 'out'), '40s'];
      const command = `"${process.execPath}" "${join(folder, 'story.mjs')}"`;
      const { breaks } = await json<{ breaks: { kind: string; file: string }[] }>(client, 'explore', {
        command,
        out,
        budget,
      });
      const lost = breaks.find(({ kind }) => kind === 'lost');
      expect(await readFile(join(out, lost?.file ?? 'none'), 'utf8')).toMatch(/^version: 1$/m);
      const failing = await called(client, 'explore', { command: 'exit 3', out });
      expect(failing).toEqual({
        isError: true,
        text: expect.stringMatching(/^explore_failed: .*without any fault: exit code 3/s) as string,
      });
    },
  );

  it.each([
    ['send', { to: 'nobody', text: 'Hi' }, 'validation_error'],
    ['wait', { for: 'event', where: { colour: 'red' } }, 'validation_error'],
    ['wait', { for: 'event', where: { type: 'otp.verified' }, timeout: '10ms' }, 'wait_timeout'],
    ['wait', { for: 'nothing' }, 'Invalid'],
    ['attach', { url: 'http://127.0.0.1:9' }, 'unreachable'],
    ['start', { scenario: '/etc/passwd' }, 'path of a .yaml, .yml or .json file'],
  ])('reports what %s refuses: %j', async (name, input, words) => {
    const { isError, text } = await called(client, name, input);
    expect(isError).toBe(true);
    expect(text).toContain(words);
  });
});

describe('mcp --url', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startTestSandbox({ controlToken: 'tok-3f9a' });
  });
  afterAll(() => sandbox.close());

  it('is attached from the beginning, returns to it with its token, and leaves the sandbox running', async () => {
    const client = await connect(['--url', sandbox.url, '--key', 'agent', '--control-token', 'tok-3f9a']);
    expect(await json(client, 'status')).toMatchObject({
      base_url: sandbox.url,
      api_key: 'agent',
      clock: { mode: 'real' },
    });
    await json(client, 'start');
    expect(await json(client, 'attach')).toMatchObject({ base_url: sandbox.url, api_key: 'agent' });
    await client.close();
    expect((await fetch(`${sandbox.url}/livez`)).status).toBe(200);
  });
});
