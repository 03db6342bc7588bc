import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox.js';
import type { Rule } from '../../../src/scenario/language/rules.js';
import type { Control, World } from '../../support/client.js';
import { newWorld } from '../../support/client.js';
import { startTestSandbox } from '../../support/sandbox.js';
import { frozen, latestCall, latestMessage, ruleOf, stage, statusEvents, trySend } from '../../support/scenes.js';

const to = '+12025550110';
/** Magic: 500 on every send. */
const always500 = '+12025550142';

let folder: string;
let sandbox: Sandbox;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'scenarios-'));
  writeFileSync(
    join(folder, 'base.yaml'),
    [
      'version: 1',
      'given:',
      '  templates:',
      '    - { name: order_shipped, category: utility, language: en, body: "Order {{1}} left" }',
      'rules:',
      '  - { id: base-answers, when: message.send, then: { respond: { status: 502 }, inbound: { text: from base } } }',
      '  - { id: replaced, when: message.send, then: { window: closed } }',
    ].join('\n'),
  );
  writeFileSync(
    join(folder, 'top.yaml'),
    [
      'version: 1',
      'extends: [base.yaml]',
      'defaults: { lifecycle: stuck }',
      'rules:',
      '  - { id: replaced, when: message.send, match: { text: open }, then: { window: open } }',
      '  - id: first-of-two',
      '    when: message.send',
      '    match: { text: teapot }',
      '    then: { respond: { status: 418 } }',
      '  - { id: second-of-two, when: message.send, match: { text: [teapot, open] }, then: { respond: { status: 503 } } }',
    ].join('\n'),
  );
  sandbox = await startTestSandbox({ clock: frozen, scenarios: [join(folder, 'top.yaml')] });
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

const text = (world: World, words: string, headers: Record<string, string> = {}, customer = to) =>
  world.call('POST', '/v1/messages', { to: customer, type: 'text', text: words }, headers);
const prefer = (value: string) => ({ 'X-Sandbox-Prefer': value });
const addRule = (world: World, rule: Rule) => world.post<Control['Rule']>('/_sandbox/rules', rule);

it('each layer speaks where the ones before it are silent, and gives way where they are not', async () => {
  const world = newWorld(sandbox);
  // Extended file: it answers what the file itself leaves open.
  let answer = await text(world, 'anything');
  expect([answer.status, ruleOf(answer)]).toEqual([502, 'base-answers']);
  // The file itself, in its order.
  answer = await text(world, 'teapot');
  expect([answer.status, ruleOf(answer)]).toEqual([418, 'first-of-two']);
  answer = await text(world, 'open');
  expect([answer.status, ruleOf(answer)]).toEqual([503, 'second-of-two']);
  // Run time, newest first.
  await addRule(world, { id: 'older', when: 'message.send', then: { respond: { status: 504 } } });
  answer = await text(world, 'teapot');
  expect([answer.status, ruleOf(answer)]).toEqual([504, 'older']);
  await addRule(world, { id: 'newer', when: 'message.send', then: { respond: { status: 409, code: 'busy' } } });
  answer = await text(world, 'teapot');
  expect([answer.status, answer.body.error.code, ruleOf(answer)]).toEqual([409, 'busy', 'newer']);
  // The request's own header before all of them.
  answer = await text(world, 'teapot', prefer('status=429; retry_after=2s'));
  expect([answer.status, answer.headers.get('retry-after'), ruleOf(answer)]).toEqual([429, '2', 'X-Sandbox-Prefer']);
  expect(await latestCall(world)).toMatchObject({ explain: { by: 'header', id: 'X-Sandbox-Prefer' } });
});

describe('magic numbers', () => {
  it('come after every rule, slot by slot', async () => {
    const world = await stage(sandbox);
    expect(ruleOf(await trySend(world, always500))).toMatch(/^magic-42/);
    await addRule(world, { id: 'mine', when: 'message.send', then: { respond: { headers: { 'X-Mine': 'yes' } } } });
    const answer = await trySend(world, always500);
    expect([answer.status, answer.headers.get('x-mine'), ruleOf(answer)]).toEqual([200, 'yes', 'mine']);
  });

  it("come before the scenario's defaults", async () => {
    const world = await stage(sandbox, [], { defaults: { lifecycle: 'stuck' } });
    await trySend(world, '+12025550100');
    await trySend(world, to);
    await world.advance('1h');
    expect((await latestMessage(world, '+12025550100')).explain).toMatchObject({ by: 'magic', id: 'magic-00' });
    expect((await latestMessage(world, '+12025550100')).status).toBe('delivered');
    const shown = await latestMessage(world, to);
    expect(shown).toMatchObject({ status: 'sent', explain: { by: 'default', id: 'defaults.lifecycle' } });
  });
});

it('one header may ask for any slot', async () => {
  const world = await stage(sandbox);
  const send = (value: string) => trySend<{ message_id: string }>(world, to, prefer(value));
  await send('lifecycle=blocked');
  await world.advance('3s');
  expect((await statusEvents(world, to)).map(([status]) => status)).toEqual(['sent', 'failed']);
  expect((await latestMessage(world, to)).explain).toMatchObject({ by: 'header' });
  await send('lifecycle=unread; inbound="OK; thanks"');
  await world.advance('300ms');
  expect(await latestMessage(world, to)).toMatchObject({ status: 'delivered' });
  expect((await world.events('?type=message.received')).at(-1)?.data).toMatchObject({ text: 'OK; thanks' });
  expect((await send('refuse=recipient_opted_out')).status).toBe(400);
  expect((await text(world, 'Hi', prefer('window=open'), '+12025550115')).status).toBe(200);
  const otp = await world.call<{ otp_id: string }>(
    'POST',
    '/v1/otp/send',
    { to },
    prefer('otp_code=042042; attempts=1'),
  );
  expect(await world.get(`/_sandbox/otps/${otp.body.otp_id}`)).toMatchObject({ code: '042042', attempts_remaining: 1 });
  const body = { name: 'later', category: 'utility', language: 'en', body: 'Hi' };
  const made = await world.call<{ template_id: string }>(
    'POST',
    '/v1/templates',
    body,
    prefer('review=reject; after=1h; reason=Why not'),
  );
  await world.advance('1h');
  const template = await world.get(`/v1/templates/${made.body.template_id}`);
  expect(template).toMatchObject({ status: 'rejected', rejection_reason: 'Why not' });
});

it('a header that cannot be followed is refused with what is allowed, and nothing happens', async () => {
  const world = await stage(sandbox);
  const answer = await trySend(world, to, prefer('staus=500; retry_after=soon'));
  expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error']);
  expect(answer.body.error.details).toMatchObject([
    { field: 'X-Sandbox-Prefer', message: expect.stringContaining('"status"') as string },
  ]);
  expect(await world.items('/_sandbox/messages')).toEqual([]);
});

describe('who decided', () => {
  it('is named with file and line for a rule of a file', async () => {
    const world = newWorld(sandbox);
    await text(world, 'teapot');
    expect((await latestCall(world)).explain).toEqual({
      by: 'rule',
      id: 'first-of-two',
      file: join(folder, 'top.yaml'),
      line: 6,
      text: 'Rule first-of-two matches by text.',
    });
    await text(world, 'else');
    expect((await latestCall(world)).explain).toMatchObject({
      id: 'base-answers',
      file: join(folder, 'base.yaml'),
      line: 6,
    });
  });

  it('is said of deliveries too', async () => {
    const world = await stage(sandbox, [
      { id: 'lost', when: 'webhook.deliver', match: { status: 'read' }, then: { webhook: { drop: true } } },
    ]);
    await trySend(world, '+12025550180');
    await world.advance('5s');
    const explained = (await world.deliveries()).map(({ explain }) => [explain?.by, explain?.id]);
    expect(explained).toEqual([
      ['magic', 'magic-80'],
      ['magic', 'magic-80'],
      ['rule', 'lost'],
    ]);
  });

  it('is the default where nobody did', async () => {
    const world = await stage(sandbox);
    const answer = await trySend(world, to);
    expect(ruleOf(answer)).toBeNull();
    expect((await latestMessage(world, to)).explain).toMatchObject({ by: 'default' });
    expect((await latestCall(world)).explain).toMatchObject({ by: 'default' });
  });
});
