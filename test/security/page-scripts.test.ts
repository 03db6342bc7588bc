/** Markup in names, texts and paths stays text wherever a browser may show it. */
import { expect } from 'vitest';
import { useSandbox } from '../support/sandbox.js';

const { it } = useSandbox({ clock: { mode: 'frozen', scale: 1, startMs: null } });

const markup = '"><script>alert(1)</script><img src=x onerror=alert(1)>\'';

it('reports escape it where they are XML or Markdown', async ({ world }) => {
  const expected = { at: '+1s', that: 'messages', max: 0, because: markup };
  await world.put('/_sandbox/scenario', { version: 1, description: markup, expect: [expected] });
  await world.advance('2s');
  const junit = await world.call<string>('GET', '/_sandbox/verdict?format=junit');
  expect(junit.headers.get('content-type')).toMatch(/xml/);
  expect(junit.body).not.toMatch(/<(?:script|img)/);
});
