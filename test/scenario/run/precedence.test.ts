import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox.js';
import type { Rule } from '../../../src/language/rule.js';
import type { Control, World } from '../../support/client.js';
import { newWorld } from '../../support/client.js';
import { startTestSandbox } from '../../support/sandbox.js';
import { frozen, latestCall, ruleOf } from '../../support/scenes.js';

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

const text = (world: World, words: string, headers: Record<string, string> = {}) =>
  world.call('POST', '/v1/messages', { to: '+12025550110', type: 'text', text: words }, headers);
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

it('the rule of a file is named with its file and line', async () => {
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

it('a rule added at run time counts by what a file may name', async () => {
  const world = newWorld(sandbox);
  for (const per of ['account', 'phone', 'template', 'endpoint']) {
    const rule = { id: per, when: 'message.send', pick: { calls: 1 }, per, then: { respond: { status: 503 } } };
    expect(await world.call('POST', '/_sandbox/rules', rule)).toMatchObject({ body: { id: per, per } });
  }
});
