import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installedVersion, packageFile } from './installed.js';
import type { Peer, Place } from './peer.js';

const authorized = { Authorization: { matches: 'Bearer .+' } };
const json = { 'Content-Type': 'application/json' };

const post = { method: 'POST', urlPath: '/v1/messages' };

const accepted = {
  status: 200,
  headers: json,
  jsonBody: { message_id: "{{randomValue type='UUID'}}", status: 'accepted' },
  transformers: ['response-template'],
};

const lookUp = {
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
};

/** Two stubs, as a user would write them: they look at key and body, but hold no schema. */
const plainStubs = [
  {
    request: {
      ...post,
      headers: authorized,
      bodyPatterns: [{ matchesJsonPath: '$.to' }, { matchesJsonPath: '$.type' }],
    },
    response: accepted,
  },
  lookUp,
];

/** What the first judges to be wrong falls through to the others: 400 with a key, 401 without. */
function judgingStubs(schema: object): object[] {
  const refuse = (status: number, code: string) => ({ status, headers: json, jsonBody: { error: { code } } });
  return [
    {
      priority: 1,
      request: {
        ...post,
        headers: authorized,
        bodyPatterns: [{ matchesJsonSchema: schema, schemaVersion: 'V202012' }],
      },
      response: accepted,
    },
    { priority: 2, request: { ...post, headers: authorized }, response: refuse(400, 'validation_error') },
    { priority: 3, request: post, response: refuse(401, 'unauthorized') },
    lookUp,
  ];
}

/** The schema of a send, as the document has it, with all that it refers to. */
async function sendSchema(document: string): Promise<object> {
  const { components } = JSON.parse(await readFile(document, 'utf8')) as { components: { schemas: object } };
  return { $ref: '#/components/schemas/SendMessageRequest', components: { schemas: components.schemas } };
}

async function launch({ port, dir }: Place, mappings: readonly object[], journal: readonly string[]) {
  await mkdir(join(dir, 'mappings'));
  await writeFile(join(dir, 'mappings', 'messages.json'), JSON.stringify({ mappings }));
  const jar = packageFile('wiremock', `build/wiremock-standalone-${installedVersion('wiremock') ?? ''}.jar`);
  return {
    file: 'java',
    args: [
      ...['-jar', jar, '--port', `${port}`, '--bind-address', '127.0.0.1', '--root-dir', dir],
      ...['--disable-banner', '--disable-request-logging', ...journal],
    ],
  };
}

const common = {
  package: 'wiremock',
  readyPath: '/__admin/health',
  missing: () => (spawnSync('java', ['-version']).status === 0 ? null : 'this machine has no Java'),
};

export const wiremock: Peer = {
  ...common,
  name: 'wiremock',
  title: 'WireMock',
  leavesOut:
    'validation: two stubs by hand look for the key and for `to` and `type`, and make a fresh id. It does not read the document. No store, events; its journal is off. It runs on Java, all cores',
  launch: (place) => launch(place, plainStubs, ['--no-request-journal']),
};

/** As many requests as ours keeps when nobody says otherwise. */
const journal = ['--max-request-journal-entries', '10000'];

export const wiremockJudging: Peer = {
  ...common,
  name: 'wiremock-judging',
  title: 'WireMock with the schema',
  leavesOut:
    'state: its stubs look for the key, judge the body by the schema of the document, and make a fresh id; to a batch they answer as to a single send. It keeps a journal as ours does. No store, rules, events. It runs on Java, all cores',
  launch: async (place) => launch(place, judgingStubs(await sendSchema(place.document)), journal),
};
