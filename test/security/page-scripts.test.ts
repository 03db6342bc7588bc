/** Markup in names, texts and paths stays text wherever a browser may show it. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { useSandbox } from '../support/sandbox.js';

const { sandbox, it } = useSandbox({ clock: { mode: 'frozen', scale: 1, startMs: null } });

const markup = '"><script>alert(1)</script><img src=x onerror=alert(1)>\'';

it('the page of the documents runs its own files only, and no address chooses the document', async () => {
  for (const query of ['', `?plane=${encodeURIComponent(markup)}`, '?url=https://evil.example/api.json']) {
    const answer = await fetch(`${sandbox.url}/_sandbox/docs${query}`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    for (const part of ["default-src 'none'", "script-src 'self';", "connect-src 'self'", "frame-ancestors 'none'"])
      expect(policy).toContain(part);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await answer.text()).toBe(readFileSync('src/ui/api-docs/index.html', 'utf8'));
  }
  const script = readFileSync('src/ui/api-docs/init.js', 'utf8');
  expect(script).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|queryConfigEnabled/);
});

it('responses that repeat what was sent are JSON', async ({ world }) => {
  const path = encodeURIComponent(markup);
  const message = markup.replaceAll('"', '');
  const answers = [
    await world.call('GET', `/v1/messages/${path}`),
    await world.call('GET', `/_sandbox/snapshots/${path}`),
    await world.call('GET', `/_sandbox/messages?to=${path}`),
    await world.call('GET', `/${path}`),
    await world.call('GET', '/v1/templates', undefined, { 'x-sandbox-prefer': `status=400; message=${message}` }),
  ];
  for (const { headers } of answers) expect(headers.get('content-type')).toMatch(/^application\/json\b/);
});

it('reports escape it where they are XML or Markdown', async ({ world }) => {
  const expected = { at: '+1s', that: 'messages', max: 0, because: markup };
  await world.put('/_sandbox/scenario', { version: 1, description: markup, expect: [expected] });
  await world.advance('2s');
  const junit = await world.call<string>('GET', '/_sandbox/verdict?format=junit');
  expect(junit.headers.get('content-type')).toMatch(/xml/);
  expect(junit.body).not.toMatch(/<(?:script|img)/);
});
