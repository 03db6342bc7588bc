import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

  it('shows documents that are there', async () => {
    const script = await (await fetch(`${open.url}/_sandbox/docs/init.js`)).text();
    const documents = [...script.matchAll(/'(\/_sandbox\/openapi[^']*)'/g)].map(([, path = '']) => path);
    expect(documents).toHaveLength(2);
    for (const path of documents) {
      expect(await (await fetch(`${open.url}${path}`)).json()).toMatchObject({ openapi: '3.1.0' });
    }
  });

  it('asks for the control token where there is one', async () => {
    expect((await fetch(`${guarded.url}/_sandbox/docs`)).status).toBe(401);
    expect((await fetch(`${guarded.url}/_sandbox/docs?control_token=wrong`)).status).toBe(401);
    expect((await fetch(`${guarded.url}/_sandbox/docs?control_token=let-me-in`)).status).toBe(200);
  });

  it('serves its own files only', async () => {
    for (const path of ['/package.json', '/..%2f..%2fpackage.json', '/swagger-ui.js']) {
      expect((await fetch(`${open.url}/_sandbox/docs${path}`)).status).toBe(404);
    }
  });
});
