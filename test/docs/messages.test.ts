/** The messages in docs/troubleshooting.md are those that the sandbox prints: each is caused here. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createSender } from '../../src/webhooks/send.js';
import { machineTime } from '../../src/time/system-clock.js';
import { runCli } from '../support/cli.js';
import type { Answer, Refusal, World } from '../support/client.js';
import { examplesOf } from '../support/markdown.js';
import { receiver } from '../support/receivers.js';
import { startTestSandbox } from '../support/sandbox.js';
import { play } from './stories.js';

type Cause = () => Promise<string>;

/** Commands: ports, processes and folders have the names of the page. */
async function said(args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runCli(args);
  return stdout + stderr;
}

const failedCommands: Readonly<Record<string, Cause>> = {
  'port-in-use': async () => {
    const other = await startTestSandbox();
    const text = await said(['start', '--port', `${other.port}`]);
    await other.close();
    return text.replace(`${other.port}`, '4242').replace(/(started at )\S+/, '$12026-11-27T16:02:11.480Z');
  },
};

/** Calls: status, code, message. */
type Said = Pick<Answer<Refusal>, 'status' | 'body'>;

const refusal = (work: (world: World) => Promise<Said>) => async (): Promise<string> => {
  const { status, body } = await play(work);
  return `${status} ${body.error.code}: ${body.error.message}`;
};

const text = { to: '+12025550123', type: 'text', text: 'Hello' };
const template = (variables: readonly string[]): object => ({
  to: '+12025550123',
  type: 'template',
  template: { name: 'order_shipped', language: 'en', variables },
});

const refusedCalls: Readonly<Record<string, Cause>> = {
  'window-closed': refusal((world) => world.call('POST', '/v1/messages', text)),
  'not-approved': refusal(async (world) => {
    await world.template('order_shipped', {}, false);
    return world.call('POST', '/v1/messages', template(['A-17']));
  }),
};

/** As on a developer's machine, outside of containers. */
async function attempt(url: string): Promise<string> {
  const sender = createSender({ host: machineTime, routes: [], allowPublic: false, insideContainer: false });
  const story = async (world: World) => {
    await world.register(url, ['message.received']);
    await world.inbound('+12025550123');
    await world.idle();
    const [delivery] = await world.deliveries();
    const failed = delivery?.attempts[0];
    return `${failed?.error ?? 'no error'}: ${failed?.reason ?? ''}\n${failed?.hint ?? ''}`.trimEnd();
  };
  return play(story, {}, { sender });
}

const failedAttempts: Readonly<Record<string, Cause>> = {
  public: () => attempt('https://203.0.113.7/hook'),
  'non-2xx': async () => {
    const { url } = await receiver((response) => response.writeHead(401).end());
    return attempt(url());
  },
};

const page = 'docs/troubleshooting.md';
const source = readFileSync(page, 'utf8');
const quoted = examplesOf(page, source)
  .filter(({ note }) => note.startsWith('message '))
  .map(({ note, body }) => [note.slice('message '.length), body.trimEnd()] as const);
const causes = { ...failedCommands, ...refusedCalls, ...failedAttempts };

describe('the messages of docs/troubleshooting.md', () => {
  it('are numbered in order, and each can be caused', () => {
    const numbers = [...source.matchAll(/^### (\d+)\. /gm)].map(([, number]) => Number(number));
    expect(numbers.length).toBeGreaterThan(3);
    expect(numbers).toStrictEqual(Array.from({ length: numbers.length }, (_none, index) => index + 1));
    expect(quoted.map(([id]) => id).sort()).toStrictEqual(Object.keys(causes).sort());
  });

  it.each(quoted)('%s is what is said', async (id, words) => {
    expect(await causes[id]?.()).toContain(words);
  });
});
