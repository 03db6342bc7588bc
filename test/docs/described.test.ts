/** Every field of a response is in the document that describes it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callsOf, jsonAnswer, readControlDocument } from '../support/control-document.js';
import { furnish } from '../support/furnish.js';
import { World } from '../support/client.js';
import type { Json } from '../support/openapi-document.js';
import { startTestSandbox } from '../support/sandbox.js';
import { undescribed } from '../support/undescribed.js';

const document = readControlDocument();
const reads = callsOf(document).filter(({ method, operation }) => method === 'get' && jsonAnswer(operation));
const named: Record<string, string> = { name: 'app', phone: '+12025550110' };

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
let world: World;

beforeAll(async () => {
  sandbox = await startTestSandbox({ clock: { mode: 'frozen', scale: 1, startMs: Date.UTC(2026, 2, 1, 9) } });
  await furnish(sandbox.url, 'shop');
  world = new World(sandbox.url, 'shop');
  await world.put('/_sandbox/scenario', { name: 'webhook-chaos' });
  await world.inbound('+12025550110', { interactive: { id: 'yes', title: 'Yes' } });
  await world.call('POST', '/v1/messages', { to: '+12025550121', type: 'text', text: 'Too early' });
  await world.send('+12025550121', 'order_shipped');
  await world.advance('1h');
});
afterAll(() => sandbox.close());

/** The path of a read with ids of existing records. */
async function pathOf(path: string): Promise<string> {
  const at = /\{(\w+)\}/.exec(path);
  if (!at) return path === '/_sandbox/wait' ? `${path}?for=message&timeout=0s` : path;
  const [list = ''] = path.split('/{');
  if (path.includes('/customers/') || path.includes('/sink/')) return path.replace(at[0], named[at[1]!]!);
  const [first] = await world.items<Record<string, string>>(list);
  return path.replace(at[0], first?.[at[1]!] ?? 'nothing');
}

describe('every property that is answered is described', () => {
  it.each(reads.map((read) => [read.path, read] as const))('GET %s', async (path, { operation }) => {
    const answer = await world.call('GET', await pathOf(path));
    expect(answer.status).toBe(200);
    const places = undescribed(document as unknown as Json, jsonAnswer(operation)!.schema, answer.body);
    expect([...new Set(places)]).toStrictEqual([]);
  });
});
