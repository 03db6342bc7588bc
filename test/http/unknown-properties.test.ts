/** Fields of a request that the document does not name are ignored. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox.js';
import { newWorld, type Control, type World } from '../support/client.js';
import { startTestSandbox } from '../support/sandbox.js';

const frozen = { clock: { mode: 'frozen', scale: 1, startMs: Date.UTC(2026, 2, 1, 9) } } as const;
const sandboxes: Sandbox[] = [];
beforeAll(async () => {
  for (let i = 0; i < 2; i += 1) sandboxes.push(await startTestSandbox(frozen));
});
afterAll(() => Promise.all(sandboxes.map((sandbox) => sandbox.close())));

/** Every field that some stored record has. */
const inside = `
  id seq secret alias status origin customer wamid history error explain batchId otpId createdAtMs
  updatedAtMs expiresAtMs windowClosesAtMs failingSinceMs pauseReason rejectionReason approvedSeq
  attempts attemptsLeft maxAttempts state code template_id profile_name content draws meta clock kind
  dueMs plan nowMs accept respond lifecycle window expires __proto__
`
  .trim()
  .split(/\s+/);

/** The body with all of these wherever it has not a property of that name already, in itself and in its objects. */
function burdened(body: object, value: unknown): object {
  const own = Object.entries(body).map(([name, part]): [string, unknown] => {
    const isObject = typeof part === 'object' && part !== null && !Array.isArray(part);
    return [name, isObject ? burdened(part as object, value) : part];
  });
  return Object.fromEntries([...inside.map((name): [string, unknown] => [name, value]), ...own]);
}

/** Plays the five calls that take a body, and hands over the answers and all that is stored in the end. */
async function played(world: World, change: (body: object) => object) {
  const answers: unknown[] = [];
  const call = async (path: string, body: object) => {
    const answer = await world.call<Record<string, unknown>>('POST', path, change(body));
    answers.push([path, answer.status, answer.body]);
    return answer.body;
  };
  await call('/v1/webhooks', { url: 'https://sink.sandbox/app', events: ['message.status', 'otp.verified'] });
  await call('/v1/templates', { name: 'note', category: 'utility', language: 'en', body: 'Order {{1}}' });
  await call('/v1/templates', { name: 'login', category: 'authentication', language: 'en' });
  await world.advance('2s');
  const template = { name: 'note', language: 'en', variables: ['7'] };
  await call('/v1/messages', { to: '+12025550110', type: 'template', template });
  await call('/v1/messages', { to: ['+12025550110', '+12025550111'], type: 'template', template });
  await world.inbound('+12025550110', { text: 'Hi' });
  await call('/v1/messages', { to: '+12025550110', type: 'text', text: 'Hello' });
  const buttons = [{ id: 'y', title: 'Yes' }];
  await call('/v1/messages', { to: '+12025550110', type: 'interactive', interactive: { body: 'Well?', buttons } });
  const otp = await call('/v1/otp/send', { to: '+12025550110' });
  await call('/v1/otp/verify', { otp_id: otp['otp_id'], code: '0' });
  await world.advance('2s');
  await world.post('/_sandbox/snapshots', { name: 'end' });
  const { state } = await world.get<Control['Snapshot']>('/_sandbox/snapshots/end');
  // The journal shows what was sent, and attempts and what the sink received how long they took.
  const { requests, attempts, sinkRequests, ...stored } = state['tables'] as Record<string, object[]>;
  expect([requests?.length, attempts?.length, sinkRequests?.length]).not.toContain(0);
  return { answers, stored };
}

const values: [number, unknown][] = [...[5, '', 'x', true, null, { a: 1 }, []].entries()];

it.each(values)('value %i of them, under every name', async (n, value) => {
  const [one, other] = sandboxes.map((sandbox) => newWorld(sandbox, `unknown-${n}`)) as [World, World];
  const plain = await played(one, (body) => body);
  expect(await played(other, (body) => burdened(body, value))).toEqual(plain);
});
