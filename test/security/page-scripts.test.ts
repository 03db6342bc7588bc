/** An attacker writes markup into names, texts and paths, and waits until a user opens the sandbox in a browser. */
import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { useSandbox } from '../support/sandbox.js';

const { sandbox, it } = useSandbox({ clock: { mode: 'frozen', scale: 1, startMs: null } });

const markup = '"><script>alert(1)</script><img src=x onerror=alert(1)>\'';

describe('the page of the documents', () => {
  it('runs nothing but its own files, and speaks to nobody else', async () => {
    for (const query of [
      '',
      `?plane=${encodeURIComponent(markup)}`,
      '?url=https://evil.example/api.json&configUrl=//evil.example',
    ]) {
      const answer = await fetch(`${sandbox.url}/_sandbox/docs${query}`);
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("connect-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      // The page is a static file that contains no data of the call.
      expect(await answer.text()).toBe(readFileSync('src/ui/api-docs/index.html', 'utf8'));
    }
  });

  it('has no script in its markup, and its own script writes none and lets no address choose the document', () => {
    const html = readFileSync('src/ui/api-docs/index.html', 'utf8');
    expect(html).not.toMatch(/<script(?![^>]*\bsrc="\/_sandbox\/)[^>]*>/);
    expect(html).not.toMatch(/\son\w+=|javascript:/i);
    const script = readFileSync('src/ui/api-docs/init.js', 'utf8');
    expect(script).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|queryConfigEnabled/,
    );
  });
});

describe('answers that repeat what was sent', () => {
  it('are JSON or XML by type and by content, never a page', async ({ world }) => {
    const path = encodeURIComponent(markup);
    const answers = [
      await world.call('GET', `/v1/messages/${path}`),
      await world.call('GET', `/v1/${path}`),
      await world.call('GET', `/_sandbox/${path}`),
      await world.call('GET', `/_sandbox/snapshots/${path}`),
      await world.call('GET', `/_sandbox/messages?to=${path}`),
      await world.call('POST', '/_sandbox/inbound', { from: '+12025550110', text: markup, profile_name: markup }),
      await world.call('GET', '/_sandbox/customers/+12025550110/messages'),
      await world.call('GET', `/${path}`),
      await world.call('GET', '/v1/templates', undefined, {
        'x-sandbox-prefer': `status=400; message=${markup.replaceAll('"', '')}`,
      }),
    ];
    for (const { headers } of answers) expect(headers.get('content-type')).toMatch(/^application\/json\b/);
  });

  it('are escaped where they are XML or Markdown', async ({ world }) => {
    const expected = { at: '+1s', that: 'messages', max: 0, because: markup };
    await world.put('/_sandbox/scenario', { version: 1, description: markup, expect: [expected] });
    await world.advance('2s');
    const junit = await world.call<string>('GET', '/_sandbox/verdict?format=junit');
    expect(junit.headers.get('content-type')).toMatch(/xml/);
    expect(junit.body).not.toMatch(/<(?:script|img)/);
    for (const format of ['junit', 'markdown']) {
      expect((await world.call<string>('GET', `/_sandbox/coverage?format=${format}`)).body).not.toMatch(
        /<(?:script|img)/,
      );
    }
  });
});
