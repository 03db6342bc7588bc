import { describe, expect, it } from 'vitest';
import { scenarioOfKey } from '../../../src/stage/starting-scenario.js';
import { newWorld, type Control } from '../../support/client.js';
import { useSandbox } from '../../support/sandbox.js';
import { frozen, latestCall, ruleOf } from '../../support/scenes.js';

const to = '+12025550117';

const { sandbox } = useSandbox({ clock: frozen });

describe('a key that carries its scenario', () => {
  it('has it active from its first call, which needs no call of the control plane', async () => {
    const world = newWorld(sandbox, 'worker3~flaky-api');
    const answer = await world.call('POST', '/v1/messages', { to, type: 'text', text: 'Hi' });
    expect([answer.status, ruleOf(answer)]).toEqual([429, 'too-fast']);
    expect(await world.get('/_sandbox/scenario')).toMatchObject({ name: 'flaky-api' });
    expect((await latestCall(world)).warnings).toEqual([]);
  });

  it('has it back after a reset', async () => {
    const world = newWorld(sandbox, 'worker4~flaky-api');
    await world.put('/_sandbox/scenario', { name: 'slow-review' });
    await world.post('/_sandbox/reset');
    expect(await world.get<Control['ActiveScenario']>('/_sandbox/scenario')).toMatchObject({ name: 'flaky-api' });
  });
});

it.each([
  ['worker3~flaky-api', 'flaky-api'],
  ['a~b~c', 'c'],
  ['plain', null],
  ['~flaky-api', null],
  ['worker3~', null],
])('the scenario of the key %s is %j', (key, name) => {
  expect(scenarioOfKey(key)).toBe(name);
});
