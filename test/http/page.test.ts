import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express, { type Request, type Response } from 'express';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/domain/errors.js';
import { page } from '../../src/http/pages/ui.js';
import type { CliServer } from '../support/built-cli.js';
import { startCli } from '../support/cli.js';

describe('/_sandbox/ui', () => {
  let server: CliServer;
  beforeAll(async () => {
    server = await startCli(['--control-token', 'let-me-in']);
  });
  afterAll(() => server.stop());
  const index = (headers = { 'x-sandbox-token': 'let-me-in' }, query = '') =>
    fetch(`${server.url}/_sandbox/ui${query}`, { headers });
  /** What the index loads at once, without what it fetches ahead. */
  const assets = async () =>
    [
      ...(await (await index()).text()).matchAll(/<(?:script|link rel="(?!prefetch))[^>]*(?:src|href)="(\/[^"]+)"/g),
    ].map(([, path = '']) => path);

  it('answers 401 without the token, with the page that asks for it, and 200 with it', async () => {
    const none = { 'x-sandbox-token': 'wrong' };
    const [guarded, wrong, header, query] = [
      await fetch(`${server.url}/_sandbox/ui`),
      await index(none, '?control_token=wrong'),
      await index(),
      await index(none, '?control_token=let-me-in'),
    ];
    expect([guarded, wrong, header, query].map(({ status }) => status)).toStrictEqual([401, 401, 200, 200]);
    expect(guarded.headers.get('www-authenticate')).toBe('Bearer');
    expect(header.headers.get('www-authenticate')).toBeNull();
    expect(await guarded.text()).toBe(await header.text());
  });

  it('is a page with a strict policy, and holds no data', async () => {
    const answer = await index();
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
    });
    const policy = answer.headers.get('content-security-policy') ?? '';
    const { host } = new URL(server.url);
    expect(policy.split('; ')).toStrictEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      `connect-src 'self' ws://${host} wss://${host}`,
      "img-src 'self' data:",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    const html = await answer.text();
    expect(html).not.toMatch(/<style|style=|<script(?![^>]*\ssrc=)|\son\w+=/);
    expect((await fetch(`${server.url}/_sandbox/clock`)).status).toBe(401);
  });

  it('consists of hashed files that may be kept for good, compressed', async () => {
    const files = await assets();
    expect(files.length).toBeGreaterThanOrEqual(2);
    for (const path of files) {
      expect(path).toMatch(/^\/_sandbox\/ui\/assets\/[\w.-]+-[\w-]{8}\.(?:js|css)$/);
      const answer = await fetch(server.url + path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toContain('immutable');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      const bytes = Buffer.from(await answer.arrayBuffer());
      // Smaller ones would not get smaller.
      if (bytes.length > 1024) expect(answer.headers.get('content-encoding')).toBe('gzip');
    }
  });

  it('serves its own files only', async () => {
    for (const path of ['/assets/..%2findex.html', '/assets/none.js', '/..%2f..%2fpackage.json', '/assets']) {
      const answer = await fetch(`${server.url}/_sandbox/ui${path}`);
      expect([answer.status, answer.headers.get('content-type')]).toStrictEqual([
        404,
        'application/json; charset=utf-8',
      ]);
    }
  });

  it('is where a browser is sent from the root, and a program is not', async () => {
    const asks = (accept: string, path = '/') => fetch(server.url + path, { redirect: 'manual', headers: { accept } });
    for (const path of ['/', '/_sandbox', '/_sandbox/']) {
      const browser = await asks('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', path);
      expect([path, browser.status, browser.headers.get('location')]).toStrictEqual([path, 302, '/_sandbox/ui']);
    }
    for (const accept of ['application/json', '*/*']) expect((await asks(accept)).status).toBe(404);
    expect(await (await asks('*/*')).text()).toContain('its web UI is at /_sandbox/ui');
  });
});

describe('an installation', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'page-'));
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), '<!doctype html>');
    await writeFile(join(folder, 'assets/a-1.js'), '1');
    await writeFile(join(folder, 'assets/a-1.js.map'), '{}');
  });
  afterAll(() => rm(folder, { recursive: true }));

  const served = (from: string | null) =>
    express()
      .use(page(null, from))
      .use((error: unknown, _request: Request, response: Response, _next: () => void) => {
        const known = error instanceof ServiceError && error.code === 'not_found';
        response.status(known ? 404 : 500).end(String(error));
      });

  it('serves scripts and styles, and not what else lies there', async () => {
    const app = served(folder);
    await request(app).get('/assets/a-1.js').expect(200, '1');
    await request(app).get('/assets/a-1.js.map').expect(404);
  });

  it('without the page says how to get it', async () => {
    const answer = await request(served(null)).get('/');
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('npm run build');
  });

  it('names no host in the policy that would break out of it', async () => {
    const answer = await request(served(folder)).get('/').set('Host', 'x;script-src *');
    expect(answer.headers['content-security-policy']).toContain("connect-src 'self'; img-src");
  });
});
