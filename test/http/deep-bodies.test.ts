/** What is nested too deeply to be written again is refused before anybody keeps it. */
import { describe, expect } from 'vitest';
import { newWorld } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox, it } = useSandbox();

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

it('a body of a million levels is refused before it is parsed', async ({ world }) => {
  const { status, body } = await world.call('PUT', '/_sandbox/snapshots/deep', '['.repeat(1_000_000));
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('nested too deeply')]);
});

describe('a body of 20,000 levels', () => {
  it.each([
    [
      'POST',
      '/v1/templates',
      `{"name":"deep","category":"utility","language":"en","body":"x","extra":${deep(20_000)}}`,
    ],
    ['POST', '/_sandbox/events', `{"type":"message.status","data":{"x":${deep(20_000)}}}`],
    [
      'PUT',
      '/_sandbox/snapshots/deep',
      `{"version":1,"name":"deep","taken_at":"2026-03-01T09:00:00.000Z","state":{"x":${deep(20_000)}}}`,
    ],
  ])('%s %s is refused, and nothing that lists it fails', async (method, path, body) => {
    const world = newWorld(sandbox);
    const answer = await world.call(method, path, body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error']);
    expect(answer.body.error.message).toContain('nested too deeply');
    for (const list of ['requests', 'events', 'templates', 'rules', 'snapshots']) {
      expect((await world.call('GET', `/_sandbox/${list}`)).status, list).toBe(200);
    }
  });

  it('is taken by a sink, which shows its bytes', async ({ world }) => {
    await world.post('/_sandbox/sink/deep', deep(20_000));
    await world.post('/_sandbox/sink/deep', '{"a":[1]}');
    const [first, second] = await world.items<{ body: string; json?: unknown }>('/_sandbox/sink/deep/received');
    expect([first?.body.length, first?.json]).toEqual([40_000, undefined]);
    expect(second?.json).toEqual({ a: [1] });
  });
});
