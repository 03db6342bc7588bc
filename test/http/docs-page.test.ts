import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readdirSync } from 'node:fs';
import type { Sandbox } from '../../src/sandbox.js';
import { startTestSandbox } from '../support/sandbox.js';

describe('/_sandbox/docs', () => {
  let open: Sandbox;
  let guarded: Sandbox;
  beforeAll(async () => {
    open = await startTestSandbox();
    guarded = await startTestSandbox({ controlToken: 'let-me-in' });
  });
  afterAll(async () => {
    await open.close();
    await guarded.close();
  });

  it('is a page that loads nothing from elsewhere', async () => {
    const answer = await fetch(`${open.url}/_sandbox/docs`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/);
    const html = await answer.text();
    const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
    const files = loaded.filter((path) => path.startsWith('/_sandbox/docs/'));
    expect(loaded.filter((path) => !files.includes(path))).toEqual(['data:,', '?plane=api', '?plane=control']);
    for (const path of files) {
      const file = await fetch(`${open.url}${path}`);
      expect(file.status).toBe(200);
      expect((await file.text()).length).toBeGreaterThan(500);
    }
  });

  it('asks for the control token where there is one', async () => {
    expect((await fetch(`${guarded.url}/_sandbox/docs`)).status).toBe(401);
    expect((await fetch(`${guarded.url}/_sandbox/docs?control_token=wrong`)).status).toBe(401);
    expect((await fetch(`${guarded.url}/_sandbox/docs?control_token=let-me-in`)).status).toBe(200);
  });

  it('shows the pages of the package, whose links lead to each other', async () => {
    const names = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
    expect(names.length).toBeGreaterThan(15);
    const texts = new Map<string, string>();
    for (const name of names) {
      const response = await fetch(`${guarded.url}/_sandbox/docs/${name}`);
      expect([name, response.status]).toStrictEqual([name, 200]);
      expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'; img-src/);
      texts.set(response.url, await response.text());
    }
    let followed = 0;
    for (const [url, html] of texts) {
      expect(html).toMatch(/<h1 id="[\w-]+">/);
      expect(html).not.toMatch(/<script|style=|\son\w+=/);
      for (const [, href = ''] of (html.split('<main>')[1] ?? '').matchAll(/ href="([^"]*)"/g)) {
        const target = new URL(href, url);
        if (target.origin !== new URL(url).origin) continue;
        const [page, anchor] = [target.href.split('#')[0] ?? '', target.hash.slice(1)];
        expect(texts.get(page), `${href} in ${url}`).toContain(anchor === '' ? '' : ` id="${anchor}"`);
        followed += 1;
      }
    }
    expect(followed).toBeGreaterThan(150);
    const picture = await fetch(`${guarded.url}/_sandbox/docs/images/page-messages.png`);
    expect([picture.status, picture.headers.get('content-type')]).toStrictEqual([200, 'image/png']);
  });

  it('serves its own files only', async () => {
    for (const path of [
      '/package.json',
      '/..%2f..%2fpackage.json',
      '/swagger-ui.js',
      '/nothing.md',
      '/..%2fREADME.md',
    ]) {
      expect((await fetch(`${open.url}/_sandbox/docs${path}`)).status).toBe(404);
    }
  });
});
