/** The short way into both planes against the long one, through Express's router: the same calls, the same answers. */
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { defaultDialect } from '../../src/dialect/index.js';
import apiDocument from '../../src/generated/api.json' with { type: 'json' };
import { operations } from '../../src/generated/api-validators.js';
import controlDocument from '../../src/generated/control.json' with { type: 'json' };
import { operations as controlOperations } from '../../src/generated/control-validators.js';
import type { Call, Middleware } from '../../src/http/api/request-context.js';
import { runMiddleware } from '../../src/http/api/request-listener.js';
import { createApp } from '../../src/http/app.js';
import { RejectedCalls } from '../../src/http/rejected-calls.js';
import { TransferBudget } from '../../src/http/transfer-budget.js';
import type { ControlService } from '../../src/http/control/handler.js';
import { controlHandlers } from '../../src/http/control/table.js';
import type { Sandbox } from '../../src/sandbox.js';
import { ScenarioLibrary } from '../../src/scenario/runtime/library.js';
import { MemoryBudget } from '../../src/store/tables/memory-budget.js';
import { WorkQueue } from '../../src/store/disk/work-queue.js';
import { memoryShelf } from '../../src/store/snapshots/snapshot-shelf.js';
import { machineTime } from '../../src/time/system-clock.js';
import { startTestSandbox } from '../support/sandbox.js';

interface Sent {
  readonly method?: string;
  readonly target: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

async function send(port: number, { method = 'GET', target, headers = {}, body }: Sent): Promise<Answer> {
  const call = request({ port, host: '127.0.0.1', method, path: target, headers, agent: false });
  call.end(body);
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  const { date: _machineTime, ...rest } = answer.headers;
  return { status: answer.statusCode, headers: rest, body: text };
}

const json = { authorization: 'Bearer both', 'content-type': 'application/json' };
const post = (target: string, body: unknown, headers: Record<string, string> = {}): Sent => ({
  method: 'POST',
  target,
  headers: { ...json, ...headers },
  body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
});
const template = { name: 'note', category: 'utility', language: 'en', body: 'Order {{1}}' };
const message = { to: '+12025550123', type: 'template', template: { name: 'note', language: 'en', variables: ['7'] } };

/** In this order, for one leads to the next. Nothing in them depends on when they come. */
const calls: readonly Sent[] = [
  post('/v1/templates', template),
  post('/v1/templates', template),
  post('/v1/messages', message),
  post('/v1/messages', { ...message, to: '+12025550130' }, { 'x-sandbox-prefer': 'lifecycle=blocked' }),
  post('/v1/messages', message, { 'x-sandbox-prefer': 'status=429; retry_after=2s' }),
  post('/v1/messages', message, { 'x-sandbox-prefer': 'nonsense' }),
  post('/v1/messages?x=1&y', { ...message, to: 7, other: true }),
  post('/v1/messages', '{"to":'),
  post('/v1/messages', '[]'),
  post('/v1/messages', gzipSync(JSON.stringify(message)), { 'content-encoding': 'gzip' }),
  post('/v1/messages', message, { 'content-type': 'text/plain' }),
  post('/v1/messages', `"${'x'.repeat(1024 * 1024)}"`),
  post('/v1/messages', message, { authorization: 'Basic eA==' }),
  post('/v1/messages', message, { origin: 'http://elsewhere.example' }),
  post('/v1/messages', message, { host: 'elsewhere.example' }),
  { target: '/v1/messages/none', headers: json },
  { target: '/v1/messages/%zz', headers: json },
  { target: '/v1/templates', headers: json },
  { target: '/v1/templates?limit=none', headers: json },
  { target: '/v1/templates?a=1?b=2', headers: json },
  { target: '/v1/templates/', headers: json },
  { target: '/v1/', headers: json },
  { target: '/v1', headers: json },
  { target: '/v1?x=1', headers: json },
  { target: '/v11/templates', headers: json },
  { target: '/V1/templates', headers: json },
  { target: '//v1/templates', headers: json },
  { target: '/v1/messages', headers: json },
  { method: 'HEAD', target: '/v1/templates', headers: json },
  { method: 'OPTIONS', target: '/v1/templates', headers: json },
  { method: 'DELETE', target: '/v1/webhooks/none', headers: json },
];

const yaml = 'version: 1\nrules:\n  - when: message.send\n    then: { respond: { status: 503 } }\n';

const controlCalls: readonly Sent[] = [
  { target: '/_sandbox/clock' },
  { target: '/_sandbox/clock', headers: { authorization: 'Basic eA==' } },
  post('/_sandbox/clock/advance', { by: '2s' }),
  post('/_sandbox/clock/advance', { by: 2 }),
  post('/_sandbox/clock/advance', '{"by":'),
  post('/_sandbox/clock/advance', { by: '1s' }, { 'content-type': 'text/plain' }),
  post('/_sandbox/clock/advance', { by: '1s' }, { origin: 'http://elsewhere.example' }),
  post('/_sandbox/clock/advance', { by: '1s' }, { host: 'elsewhere.example' }),
  post('/_sandbox/clock/advance', `"${'x'.repeat(1024 * 1024)}"`),
  { target: '/_sandbox/messages?to=+12025550123&limit=5', headers: json },
  { target: '/_sandbox/messages?to=%2B12025550123&order=desc', headers: json },
  { target: '/_sandbox/messages?limit=none', headers: json },
  { target: '/_sandbox/messages?limti=5', headers: json },
  { target: '/_sandbox/requests/count?status=400', headers: json },
  { method: 'PUT', target: '/_sandbox/scenario', headers: { ...json, 'content-type': 'text/yaml' }, body: yaml },
  post('/_sandbox/scenarios/check', 'version: 2', { 'content-type': 'application/x-yaml' }),
  { target: '/_sandbox/scenario', headers: json },
  { method: 'DELETE', target: '/_sandbox/scenario', headers: json },
  { method: 'DELETE', target: '/_sandbox/clock', headers: json },
  { method: 'HEAD', target: '/_sandbox/clock', headers: json },
  { method: 'OPTIONS', target: '/_sandbox/clock', headers: json },
  { method: 'POST', target: '/_sandbox/sink/a', headers: { 'content-type': 'text/plain' }, body: 'anything' },
  { target: '/_sandbox/sink/a/received' },
  { target: '/_sandbox/coverage?format=markdown', headers: json },
  { target: '/_sandbox/nothing' },
  { target: '/_sandbox' },
  { target: '/_sandbox/' },
  { target: '/_sandbox/?x=1' },
  { target: '/_sandbox//clock' },
  { target: '/_sandbox/clock/' },
  { target: '/_SANDBOX/clock' },
  { target: '/_sandbox/uix' },
  { target: '/_sandbox/ui/none' },
  { target: '/_sandbox/docs?x=1', headers: { accept: 'text/html' } },
  { target: '/_sandbox/docs/none' },
];

it('runs middleware up to the first error, thrown or told, and tells it once', () => {
  const [request, response] = [{} as Call, {} as ServerResponse];
  const told = (...steps: Middleware[]) => {
    const ends: unknown[] = [];
    runMiddleware(steps, request, response, (error) => ends.push(error ?? 'done'));
    return ends;
  };
  const fail = (): never => {
    throw new RangeError('thrown');
  };
  const tells: Middleware = (_request, _response, next) => {
    next('told');
    fail();
  };
  const pass: Middleware = (_request, _response, next) => next();
  expect([told(pass, pass), told(pass, tells, fail), told(fail, pass)]).toEqual([
    ['done'],
    ['told'],
    [new RangeError('thrown')],
  ]);
});

const settings = {
  clock: { mode: 'frozen', scale: 1, startMs: Date.UTC(2026, 2, 1) },
} as const;

describe('the way past the router', () => {
  const sandboxes: Sandbox[] = [];
  const servers: Server[] = [];
  afterAll(async () => {
    for (const server of servers) server.close();
    for (const sandbox of sandboxes) await sandbox.close();
  });

  /** A world of its own, listening by one of the two ways. */
  async function listenBy(way: 'express' | 'listener'): Promise<{ port: number; journal: () => object[] }> {
    const sandbox = await startTestSandbox(settings);
    const { accounts } = sandbox;
    const fault = (error: unknown) => {
      throw error;
    };
    const rejected = new RejectedCalls(machineTime);
    const service: ControlService = {
      accounts,
      host: machineTime,
      shelf: memoryShelf(new MemoryBudget(Infinity)),
      largeSnapshots: new WorkQueue(),
      scenarios: new ScenarioLibrary([]),
      senderOf: () => fault(new Error('nothing is certified here')),
      version: '0.0.0',
      documents: { api: apiDocument, control: controlDocument },
      facts: () => ({
        uptimeMs: 0,
        host: '127.0.0.1',
        port: 1,
        dataDir: null,
        maxAccounts: 9,
        maxSockets: 9,
        memoryLimit: 9,
      }),
      webhookTimeoutMs: 1_000,
      rejected,
    };
    const app = createApp({
      api: () =>
        Promise.resolve({
          accounts,
          dialect: defaultDialect,
          document: apiDocument,
          compiled: operations,
          host: machineTime,
          version: '0.0.0',
          token: null,
          rejected,
          transfers: new TransferBudget(machineTime),
          report: fault,
        }),
      control: () =>
        Promise.resolve({
          service,
          handlers: controlHandlers,
          compiled: controlOperations,
          token: null,
          transfers: new TransferBudget(machineTime),
          report: fault,
        }),
      service,
      token: null,
      report: fault,
      allowedHosts: [],
      ready: () => true,
    });
    const server = createServer(app[way]).listen(0, '127.0.0.1');
    await once(server, 'listening');
    sandboxes.push(sandbox);
    servers.push(server);
    const journal = () =>
      [...accounts.all()].flatMap(({ store }) =>
        [...store.tables.requests.all()].map(({ durationMs: _machineTime, ...entry }) => entry),
      );
    return { port: (server.address() as AddressInfo).port, journal };
  }

  it('answers as the router does, and leaves the same journal', async () => {
    const [short, long] = [await listenBy('listener'), await listenBy('express')];
    // The Host header names the port, and stands in the journal.
    const host = '127.0.0.1';
    for (const call of [...calls, ...controlCalls]) {
      const named = { ...call, headers: { host, ...call.headers } };
      const [answer, expected] = [await send(short.port, named), await send(long.port, named)];
      expect(answer, `${call.method ?? 'GET'} ${call.target}`).toEqual(expected);
    }
    expect(short.journal()).toEqual(long.journal());
    expect(short.journal().length).toBeGreaterThan(calls.length / 2);
    expect(short.journal()).toContainEqual(
      expect.objectContaining({ request: expect.objectContaining({ query: 'a=1?b=2' }) as unknown }),
    );
  });
});
