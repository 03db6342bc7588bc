/** The paths beside both planes know one method. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { newWorld } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

describe('a path that can only be read', () => {
  it.each(['/livez', '/readyz', '/llms.txt'])('%s says so to any other method', async (path) => {
    for (const method of ['POST', 'OPTIONS', 'DELETE']) {
      const answer = await newWorld(sandbox).call(method, path);
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
      expect(answer.body.error.message).toBe(`${method} is not supported on ${path}. Allowed: GET.`);
    }
  });
});

describe('llms.txt', () => {
  it('is served, names pages and paths that there are', async () => {
    const { status, headers, body } = await newWorld(sandbox).call<string>('GET', '/llms.txt');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const pages = body.match(/docs\/[\w-]+\.md/g) ?? [];
    expect(pages.length).toBeGreaterThan(8);
    expect(pages.filter((page) => !existsSync(page))).toEqual([]);
    // The web UI is there once it is built.
    const paths = [...body.matchAll(/^- (\/_sandbox\/[\w/.]+):/gm)]
      .map(([, path = '']) => path)
      .filter((path) => path !== '/_sandbox/ui');
    expect(paths.length).toBeGreaterThan(3);
    for (const path of paths) expect([path, (await newWorld(sandbox).call('GET', path)).status]).toEqual([path, 200]);
  });
});
