import { expect, it } from 'vitest';
import type { Control, Refusal, World } from '../../support/client.js';
import { useSandbox } from '../../support/sandbox.js';
import { at, frozen, latestCall, play, ruleOf, stage, trySend } from '../../support/scenes.js';

const [ada, bob] = ['+12025550110', '+12025550111'];
const once = { id: 'once', when: 'message.send', pick: { first: 1 }, then: { respond: { status: 503 } } };

const { sandbox } = useSandbox({ clock: frozen });

const add = (world: World, rule: object) => world.post<Control['AddedRule']>('/_sandbox/rules', rule);
const rules = (world: World) => world.items<Control['Rule']>('/_sandbox/rules');

it('is added, strikes at once, tells its hits and the last one, and is removed', async () => {
  const world = await stage(sandbox);
  const { id } = await add(world, { when: 'message.send', match: { to: ada }, then: { respond: { status: 503 } } });
  expect(id).toMatch(/^rule_\d+$/);
  expect(await rules(world)).toMatchObject([{ id, hits: 0, last_hit: null }]);
  const answer = await trySend(world, ada);
  expect([answer.status, ruleOf(answer)]).toEqual([503, id]);
  expect((await latestCall(world)).explain).toEqual({ by: 'rule', id, text: `Rule ${id} matches by to.` });
  await world.advance('5s');
  await trySend(world, bob);
  await trySend(world, ada);
  expect(await rules(world)).toMatchObject([{ id, hits: 2, last_hit: { at: at(5000), subject: ada } }]);
  await world.delete(`/_sandbox/rules/${id}`);
  expect(await rules(world)).toEqual([]);
  expect((await trySend(world, ada)).status).toBe(200);
  expect((await world.call('DELETE', `/_sandbox/rules/${id}`)).status).toBe(404);
});

it('is written as YAML too, with its faults at their lines', async () => {
  const world = await stage(sandbox);
  const send = (yaml: string) =>
    world.call<Control['AddedRule'] & Refusal>('POST', '/_sandbox/rules', yaml, { 'content-type': 'application/yaml' });
  const added = await send('id: typed\nwhen: message.send\nthen: { respond: { status: 503 } }\n');
  expect([added.status, added.body.id]).toEqual([200, 'typed']);
  expect((await trySend(world, ada)).status).toBe(503);
  const refused = await send('id: mistyped\nwhen: message.snd\nthen: { respond: { status: 503 } }\n');
  expect(refused.status).toBe(400);
  expect(refused.body.error).toMatchObject({
    code: 'scenario_invalid',
    details: [{ line: 2, suggestion: 'message.send', fixed: 'when: message.send' }],
  });
  expect(await rules(world)).toHaveLength(1);
});

it('needs no scenario, and outlives one', async () => {
  const world = await stage(sandbox);
  await world.delete('/_sandbox/scenario');
  await add(world, { id: 'stays', when: 'message.send', then: { lifecycle: 'blocked' } });
  expect(ruleOf(await trySend(world, ada))).toBe('stays');
  await play(world, { rules: [{ when: 'message.send', then: { lifecycle: 'happy' } }] });
  expect(ruleOf(await trySend(world, ada))).toBe('stays');
});

it('a name is taken by another run-time rule, and by a rule of the scenario', async () => {
  const world = await stage(sandbox, [{ id: 'mine', when: 'message.send', then: { lifecycle: 'happy' } }]);
  await add(world, once);
  for (const id of ['once', 'mine']) {
    const answer = await world.call('POST', '/_sandbox/rules', { ...once, id });
    expect([answer.status, answer.body.error.code]).toEqual([409, 'name_taken']);
    expect(answer.body.error.message).toContain(`"${id}"`);
  }
  expect(await rules(world)).toHaveLength(1);
});

it('one that takes the name of a removed one starts with counts and hits of its own', async () => {
  const world = await stage(sandbox);
  await add(world, once);
  const status = async () => (await trySend(world, ada)).status;
  expect([await status(), await status()]).toEqual([503, 200]);
  await world.delete('/_sandbox/rules/once');
  expect(await add(world, once)).toMatchObject({ hits: 0, last_hit: null });
  expect([await status(), await status()]).toEqual([503, 200]);
});

it('is active from the moment it was added, not from the activation of a scenario', async () => {
  const world = await stage(sandbox);
  await world.advance('5h');
  await add(world, { ...once, pick: { after: 1 }, active: { from: '+1m', to: '+10m' } });
  const status = async () => (await trySend(world, ada)).status;
  const seen = [await status()];
  for (const by of ['1m', '1s', '8m58s', '1s']) {
    await world.advance(by);
    seen.push(await status());
  }
  expect(seen).toEqual([200, 200, 503, 503, 200]);
});

it('a bad one is refused with its problems in their places', async () => {
  const world = await stage(sandbox);
  const answer = await world.call('POST', '/_sandbox/rules', {
    when: 'message.send',
    match: { colour: 'red' },
    then: { respond: { status: 700 } },
  });
  expect([answer.status, answer.body.error.code]).toEqual([400, 'scenario_invalid']);
  expect(answer.body.error.details).toMatchObject([{ path: 'match.colour' }, { path: 'then.respond.status' }]);
  expect(await rules(world)).toEqual([]);
});

it('what a rule says in vain comes back as warnings, as it does for a file', async () => {
  const world = await stage(sandbox);
  const vain = { when: 'message.get', match: { template: 'order_shiped' }, then: { otp: { attempts: 1 } } };
  const { id, warnings } = await add(world, vain);
  expect(warnings).toMatchObject([
    { code: 'unknown_template', path: 'match.template', file: 'request body', suggestion: 'order_shipped' },
    { code: 'slot_under_wrong_hook', path: 'then.otp', found: 'otp', allowed: 'respond, limit' },
  ]);
  expect(await rules(world)).toMatchObject([{ id, then: { otp: { attempts: 1 } } }]);
  const meant = await add(world, { when: 'otp.send', match: { template: 'login' }, then: { otp: { attempts: 1 } } });
  expect(meant.warnings).toEqual([]);
});
