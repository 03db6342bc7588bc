import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installedVersion, packageFile } from './installed.js';
import type { Peer } from './peer.js';

const authorized = { Authorization: { matches: 'Bearer .+' } };
const json = { 'Content-Type': 'application/json' };

/** Two stubs, as a user would write them: they look at key and body, but hold no schema. */
const stubs = {
  mappings: [
    {
      request: {
        method: 'POST',
        urlPath: '/v1/messages',
        headers: authorized,
        bodyPatterns: [{ matchesJsonPath: '$.to' }, { matchesJsonPath: '$.type' }],
      },
      response: {
        status: 200,
        headers: json,
        jsonBody: { message_id: "{{randomValue type='UUID'}}", status: 'accepted' },
        transformers: ['response-template'],
      },
    },
    {
      request: { method: 'GET', urlPathPattern: '/v1/messages/[^/]+', headers: authorized },
      response: {
        status: 200,
        headers: json,
        jsonBody: {
          message_id: '{{request.pathSegments.[2]}}',
          wamid: 'wamid.HBgLMTIwMjU1NTAxMDEVAgARGBIzRUIwQzQzMUMyNkExOTE2NTMA',
          status: 'read',
          type: 'template',
          created_at: '2026-03-01T09:00:00.000Z',
          error: null,
        },
        transformers: ['response-template'],
      },
    },
  ],
};

export const wiremock: Peer = {
  name: 'wiremock',
  title: 'WireMock',
  package: 'wiremock',
  leavesOut:
    'validation: two stubs by hand look for the key and for `to` and `type`, and make a fresh id. It does not read the document. No store, events; its journal is off. It runs on Java, all cores',
  launch: async ({ port, dir }) => {
    await mkdir(join(dir, 'mappings'));
    await writeFile(join(dir, 'mappings', 'messages.json'), JSON.stringify(stubs));
    const jar = packageFile('wiremock', `build/wiremock-standalone-${installedVersion('wiremock') ?? ''}.jar`);
    return {
      file: 'java',
      args: [
        ...['-jar', jar, '--port', `${port}`, '--bind-address', '127.0.0.1', '--root-dir', dir],
        ...['--disable-banner', '--no-request-journal', '--disable-request-logging'],
      ],
    };
  },
  readyPath: '/__admin/health',
  missing: () => (spawnSync('java', ['-version']).status === 0 ? null : 'this machine has no Java'),
};
