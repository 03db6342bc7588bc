/** The servers to compare with: alternatives that one would use or write. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { freePort } from '../src/beside/reach.js';
import { approveTemplate, builtFolder, serverNode } from './sandbox.js';
import { cpuProbe, startServer, type Command, type Server } from './server.js';

/** What a peer can use: a port, an empty folder, and our OpenAPI document as JSON. */
interface Place {
  readonly port: number;
  readonly folder: string;
  readonly document: string;
}

export interface Peer {
  readonly name: string;
  /** A description of what it does for a request, so that its figures can be compared. */
  readonly does: string;
  /** It is ready when a GET of this path returns a 2xx. */
  readonly readyPath: string;
  /** Whether it is installed for the comparison. */
  readonly isMock: boolean;
  readonly command: (place: Place) => Command | Promise<Command>;
  readonly prepare?: (url: string) => Promise<void>;
}

/** Installed on first use, outside of the project's own packages, so that `npm ci` stays small. */
const packages = { '@stoplight/prism-cli': '5.16.0', wiremock: '3.13.2' } as const;
const installed = resolve('node_modules/.cache/bench-peers');
const packageFile = (name: keyof typeof packages, file: string) => join(installed, 'node_modules', name, file);

const anyMessage = '/v1/messages/0b54b6ff-9d7d-4ba1-8a5f-6d2f3c7e1a90';
const onNode = (...args: readonly string[]): Command => ({ file: serverNode.path, args: [...cpuProbe, ...args] });

const sandbox = async ({ port }: Place, ...flags: string[]): Promise<Command> =>
  onNode(join(await builtFolder(), 'cli/main.js'), 'start', '--port', `${port}`, '--log-level', 'error', ...flags);

export const ours: Peer = {
  name: 'messaging-sandbox',
  does: 'validates, applies the rules of the service, stores, creates events',
  readyPath: '/readyz',
  isMock: false,
  command: sandbox,
  prepare: approveTemplate,
};

export const echo: Peer = {
  name: 'Express echo',
  does: 'parses JSON and returns it',
  readyPath: anyMessage,
  isMock: false,
  command: ({ port }) => onNode('bench/servers.mjs', 'echo', `${port}`),
};

export const validated: Peer = {
  name: 'Express with express-openapi-validator',
  does: 'validates key, request and response against the document; returns a new id',
  readyPath: anyMessage,
  isMock: false,
  command: ({ port, document }) => onNode('bench/servers.mjs', 'validated', `${port}`, document),
};

export const prism: Peer = {
  name: 'Prism',
  does: 'validates key and request against the document; returns its example',
  readyPath: anyMessage,
  isMock: true,
  command: ({ port, document }) =>
    onNode(
      packageFile('@stoplight/prism-cli', 'dist/index.js'),
      ...['mock', '--port', `${port}`, '--host', '127.0.0.1', '--multiprocess', 'false', '--verboseLevel', 'silent'],
      document,
    ),
};

export const schemaStubs: Peer = {
  name: 'WireMock with the schema',
  does: 'validates key and body by stubs that hold the schema; returns a new id; Java, all cores',
  readyPath: '/__admin/health',
  isMock: true,
  command: wiremock,
};

export const peers: readonly Peer[] = [
  ours,
  {
    ...ours,
    name: 'messaging-sandbox --data',
    does: 'the same, and writes it to disk',
    command: (place) => sandbox(place, '--data', join(place.folder, 'data')),
  },
  echo,
  validated,
  prism,
  schemaStubs,
];

async function wiremock({ port, folder, document }: Place): Promise<Command> {
  const { components } = JSON.parse(readFileSync(document, 'utf8')) as { components: { schemas: object } };
  const schema = { $ref: '#/components/schemas/SendMessageRequest', components: { schemas: components.schemas } };
  const post = { method: 'POST', urlPath: '/v1/messages' };
  const headers = { Authorization: { matches: 'Bearer .+' } };
  const body = [{ matchesJsonSchema: schema, schemaVersion: 'V202012' }];
  const accepted = { message_id: "{{randomValue type='UUID'}}", status: 'accepted' };
  const found = { message_id: '{{request.pathSegments.[2]}}', status: 'read', type: 'template', error: null };
  const respond = (status: number, jsonBody: object) => ({ status, jsonBody, transformers: ['response-template'] });
  const mappings = [
    { priority: 1, request: { ...post, headers, bodyPatterns: body }, response: respond(200, accepted) },
    { priority: 2, request: { ...post, headers }, response: respond(400, { error: { code: 'validation_error' } }) },
    { priority: 3, request: post, response: respond(401, { error: { code: 'unauthorized' } }) },
    { request: { method: 'GET', urlPathPattern: '/v1/messages/[^/]+', headers }, response: respond(200, found) },
  ];
  await mkdir(join(folder, 'mappings'));
  await writeFile(join(folder, 'mappings/messages.json'), JSON.stringify({ mappings }));
  const jar = packageFile('wiremock', `build/wiremock-standalone-${packages.wiremock}.jar`);
  const flags = ['--disable-banner', '--disable-request-logging', '--max-request-journal-entries', '10000'];
  const place = ['--port', `${port}`, '--bind-address', '127.0.0.1', '--root-dir', folder];
  return { file: 'java', args: ['-jar', jar, ...place, ...flags] };
}

const areInstalled = (): boolean =>
  Object.keys(packages).every((name) => existsSync(join(installed, 'node_modules', name)));

/** Returns the peers that can run here. Installs them if they are missing: about 200 MB, once. */
export function availablePeers(): Peer[] {
  if (!areInstalled()) {
    const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
    console.error(`Installing ${wanted.join(', ')} …`);
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'error'];
    spawnSync('npm', ['install', '--prefix', installed, ...flags, ...wanted], { stdio: ['ignore', 2, 2] });
    if (!areInstalled()) console.error('Prism and WireMock are left out, because npm could not install them.');
  }
  const hasJava = spawnSync('java', ['-version']).status === 0;
  if (!hasJava) console.error('WireMock is left out, because java is not installed.');
  return peers.filter(({ isMock, command }) => !isMock || (areInstalled() && (hasJava || command !== wiremock)));
}

/** Starts a peer in a new folder below `root`. */
export async function startPeer(peer: Peer, root: string): Promise<Server> {
  const port = await freePort();
  const folder = join(root, `${port}`);
  await mkdir(folder);
  return startServer(await peer.command({ port, folder, document: join(root, 'openapi.json') }), port, peer.readyPath);
}

/**
 * Writes our document as JSON. Prism does not validate bodies if `jsonSchemaDialect` is present, which names the
 * default.
 */
export async function writeDocument(root: string): Promise<void> {
  const document = parse(readFileSync('openapi.yaml', 'utf8')) as Record<string, unknown>;
  delete document['jsonSchemaDialect'];
  await writeFile(join(root, 'openapi.json'), JSON.stringify(document));
}
