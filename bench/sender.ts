/**
 * Signed POSTs per second to one loopback receiver in another process: the sender against the clients it could have
 * been built on. Runs are interleaved, so that a busy machine slows all of them alike; what counts are the ratios.
 *
 *   npx tsx bench/sender.ts [requests per run = 4000] [rounds = 7] [in flight = 16]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as UndiciAgent, request as undiciRequest } from 'undici';
import { machineTime } from '../src/time/system-clock.js';
import { SIGNATURE_HEADER, sign } from '../src/webhooks/sender/signature.js';
import { createSender } from '../src/webhooks/sender/sender.js';

const [requests = 4_000, rounds = 7, inFlight = 16] = process.argv.slice(2).map(Number);

const RECEIVER = `
  const server = require('node:http').createServer((request, response) => {
    request.resume().on('end', () => response.end('ok'));
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(String(server.address().port)));
`;

const body = JSON.stringify({
  id: 'evt_01',
  type: 'message.status',
  created_at: '2026-03-01T09:00:00.000Z',
  data: { message_id: '0b0e7f3c-7f0e-4a57-9a1a-1d5a3f6c2b11', to: '+12025550150', status: 'delivered', error: null },
});

function headers(): Record<string, string> {
  return { 'Content-Type': 'application/json', [SIGNATURE_HEADER]: sign('whsec_bench', body) };
}

type Post = () => Promise<number | null>;

function withNodeHttp(port: number, agent: HttpAgent): Post {
  return () =>
    new Promise((resolve, reject) => {
      const length = { 'Content-Length': Buffer.byteLength(body) };
      const options = {
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/',
        agent,
        headers: { ...headers(), ...length },
      };
      const request = httpRequest(options, (response) => {
        response.resume().on('end', () => {
          resolve(response.statusCode ?? null);
        });
      });
      request.on('error', reject).end(body);
    });
}

/** Requests per second of one run. */
async function run(post: Post, count: number): Promise<number> {
  let left = count;
  const startedAt = machineTime.monotonic();
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const status = await post();
      if (status !== 200) throw new Error(`the receiver answered ${status ?? 'nothing'}`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return (count * 1_000) / (machineTime.monotonic() - startedAt);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const receiver = spawn(process.execPath, ['-e', RECEIVER], { stdio: ['ignore', 'pipe', 'inherit'] });
const [chunk] = (await once(receiver.stdout, 'data')) as [Buffer];
const port = Number(chunk.toString());
const url = `http://127.0.0.1:${port}/`;

const sender = createSender({ host: machineTime, routes: [], allowPublic: false, insideContainer: false });
const agent = new HttpAgent({ keepAlive: true });
const dispatcher = new UndiciAgent();

const clients: Record<string, Post> = {
  sender: async () => (await sender.send({ url: `https://127.0.0.1:${port}/`, headers: headers(), body })).status,
  'undici.request': async () => {
    const answer = await undiciRequest(url, { method: 'POST', headers: headers(), body, dispatcher });
    await answer.body.dump();
    return answer.statusCode;
  },
  'node:http, keep-alive': withNodeHttp(port, agent),
  'global fetch': async () => {
    const answer = await fetch(url, { method: 'POST', headers: headers(), body });
    await answer.arrayBuffer();
    return answer.status;
  },
};

const rates = new Map(Object.keys(clients).map((name) => [name, [] as number[]]));
for (const post of Object.values(clients)) await run(post, Math.ceil(requests / 4));
for (let round = 0; round < rounds; round += 1) {
  for (const [name, post] of Object.entries(clients)) rates.get(name)?.push(await run(post, requests));
}

/** How many times as fast `name` was as `other`: median, then lowest and highest of the rounds. */
function ratio(name: string, other: string): string {
  const others = rates.get(other) ?? [];
  const ratios = (rates.get(name) ?? []).map((rate, round) => rate / (others[round] ?? Number.NaN));
  return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`;
}

console.log(`${requests} signed POSTs of ${body.length} bytes per run, ${rounds} rounds, ${inFlight} in flight`);
console.log(`${''.padEnd(22)} ${'median'.padStart(9)}   sender is times  undici.request is times`);
for (const [name, values] of rates) {
  const rate = `${Math.round(median(values))}/s`.padStart(9);
  console.log(`${name.padEnd(22)} ${rate}   ${ratio('sender', name)} ${ratio('undici.request', name)}`);
}

await sender.close();
agent.destroy();
await dispatcher.close();
receiver.kill();
