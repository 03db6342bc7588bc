/** An attacker uses paths as names of accounts, snapshots and sinks, to access files outside of the data directory. */
import { mkdtemp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { World } from '../support/client.js';
import { rawRequest } from '../support/raw-http.js';
import { startTestSandbox, useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox({ clock: { mode: 'frozen', scale: 1, startMs: null } });

const key = ['Authorization', 'Bearer security'] as const;

const names = [
  '../outside',
  '..',
  '.',
  '/etc/outside',
  '..\\outside',
  'a/../../outside',
  '%2e%2e%2foutside',
  'nul',
  'outside\u0000.json',
  '~/outside',
  'x'.repeat(200),
  '..%c0%af..%c0%afoutside',
];

describe('names that look like paths', () => {
  it('never leave the data directory, as keys, snapshots or sinks', async () => {
    const above = await mkdtemp(join(tmpdir(), 'security-'));
    const dataDir = join(above, 'deep', 'data');
    await mkdir(join(above, 'deep'));
    try {
      const stored = await startTestSandbox({ dataDir });
      for (const name of names) {
        const world = new World(stored.url, /[^\x21-\x7e]/.test(name) ? 'plain' : name);
        const encoded = encodeURIComponent(name);
        const answers = [
          await world.call('POST', '/v1/templates', { name: 'a', category: 'utility', language: 'en', body: 'Hello' }),
          await world.call('POST', '/_sandbox/snapshots', { name }),
          await world.call('GET', `/_sandbox/snapshots/${encoded}`),
          await world.call('POST', `/_sandbox/snapshots/${encoded}/restore`),
          await world.call('DELETE', `/_sandbox/snapshots/${encoded}`),
          await world.call('PUT', `/_sandbox/sink/${encoded}`, { respond: [{ status: 503 }] }),
          await world.call('POST', `/_sandbox/sink/${encoded}`, {}),
          await world.call('PUT', '/_sandbox/scenario', { name }),
          await world.call('DELETE', `/_sandbox/accounts/${encoded}`),
        ];
        for (const { status } of answers.slice(0, 6)) expect(status, name).toBeLessThan(500);
        for (const { status } of answers.slice(7)) expect(status, name).toBeLessThan(500);
      }
      await stored.close();
      expect(await readdir(above)).toEqual(['deep']);
      expect(await readdir(join(above, 'deep'))).toEqual(['data']);
      // The resulting directory can be opened again.
      await (await startTestSandbox({ dataDir })).close();
    } finally {
      await rm(above, { recursive: true });
    }
  });

  it('in a path of the request are not resolved', async () => {
    for (const path of [
      '/../../etc/passwd',
      '/_sandbox/../../etc/passwd',
      '/v1/..%2f..%2fetc%2fpasswd',
      '//etc/passwd',
    ]) {
      const answer = await rawRequest(sandbox.url, 'GET', path, [['Host', 'localhost'], key]);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.body).not.toContain('root:');
    }
  });
});

describe('names on disk', () => {
  it('keep the accounts and snapshots of such names apart, over a restart', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'security-'));
    const keys = ['worker', 'WORKER', 'a', 'a.', '../a', '..%2fa', 'con', 'x'.repeat(300), 'x'.repeat(301)];
    try {
      const first = await startTestSandbox({ dataDir });
      for (const [i, key] of keys.entries()) {
        await new World(first.url, key).template(`of_${i}`);
        await new World(first.url, key).post('/_sandbox/snapshots', { name: 'a' });
      }
      await first.close();
      const second = await startTestSandbox({ dataDir });
      for (const [i, key] of keys.entries()) {
        const world = new World(second.url, key);
        const { templates } = await world.get<{ templates: { name: string }[] }>('/v1/templates');
        expect([key, templates.map(({ name }) => name)]).toEqual([key, [`of_${i}`]]);
        expect((await world.items<{ name: string }>('/_sandbox/snapshots')).map(({ name }) => name)).toEqual(['a']);
      }
      await second.close();
    } finally {
      await rm(dataDir, { recursive: true });
    }
  });

  it('of scenarios stay in their folder', async () => {
    const secret = join(await mkdtemp(join(tmpdir(), 'security-')), 'secret.yaml');
    await writeFile(secret, 'version: 1\ndescription: a secret\n');
    const world = new World(sandbox.url, 'scenarios');
    for (const name of [secret, `../../../../../../..${secret}`, 'file:///etc/passwd', '/etc/passwd', '..', '.']) {
      for (const [method, path] of [
        ['PUT', '/_sandbox/scenario'],
        ['POST', '/_sandbox/scenarios/check'],
      ] as const) {
        const byName = await world.call(method, path, { name });
        const byExtends = await world.call(method, path, { version: 1, extends: [name] });
        expect([byName.status, byExtends.status], name).toEqual([expect.toBeOneOf([400, 404]), 400]);
        expect(JSON.stringify([byName.body, byExtends.body])).not.toMatch(/root:|a secret/);
      }
      const born = await new World(sandbox.url, `k~${name}`).call('GET', '/_sandbox/scenario');
      expect(JSON.stringify(born.body)).not.toContain('a secret');
    }
    await rm(join(secret, '..'), { recursive: true });
  });
});
