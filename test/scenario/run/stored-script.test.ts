/** A scenario in a snapshot is validated like a file. */
import { readdirSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { storedScriptProblems } from '../../../src/scenario/run/stored-script.js';
import { newWorld } from '../../support/client.js';
import { useSandbox } from '../../support/sandbox.js';

const { sandbox, it } = useSandbox({ clock: { mode: 'frozen', scale: 1, startMs: null } });

const shipped = readdirSync('scenarios').flatMap((file) => /^(.*)\.yaml$/.exec(file)?.[1] ?? []);

describe('a snapshot with a scenario', () => {
  it.each(shipped)('comes back whole: %s', async (name) => {
    const world = newWorld(sandbox);
    await world.put('/_sandbox/scenario', { name });
    await world.post('/_sandbox/rules', { when: 'message.send', match: { phone: '+1202*' }, then: { window: 'open' } });
    await world.post('/_sandbox/snapshots', { name: 'a' });
    const snapshot = await world.get('/_sandbox/snapshots/a');
    await world.put('/_sandbox/snapshots/b', snapshot);
    const before = await world.get<object>('/_sandbox/scenario');
    await world.post('/_sandbox/reset', {});
    await world.post('/_sandbox/snapshots/b/restore');
    expect(await world.get<object>('/_sandbox/scenario')).toEqual(before);
  });

  it('in which a single rule was spoiled is not taken', async ({ world }) => {
    await world.post('/_sandbox/rules', { id: 'mine', when: 'api.any', then: { respond: { status: 503 } } });
    await world.post('/_sandbox/snapshots', { name: 'whole' });
    const snapshot = await world.get<object>('/_sandbox/snapshots/whole');
    const spoiled = JSON.stringify(snapshot).replace('"status":503', '"headers":{"X-A":"a\\r\\nb: c"}');
    const answer = await world.call('PUT', '/_sandbox/snapshots/spoiled', JSON.parse(spoiled) as object);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'state.tables.rules[0].rule' }] } },
    });
    expect((await world.items('/_sandbox/snapshots')).map(({ name }) => name)).toEqual(['whole']);
  });

  const rule = { id: 'r', when: 'api.any', then: { respond: { status: 503 } }, source: { file: 'a.yaml', line: 1 } };
  const scenario = { name: 's', defaults: {}, given: {}, rules: [rule], timeline: [], expect: [], files: ['a.yaml'] };

  it('as the loader made it has no problems', () => {
    expect(storedScriptProblems({ scenarios: [{ scenario }], rules: [{ rule }] })).toEqual([]);
    // A rule that had no id is named by its file, wherever that lies.
    const unnamed = { ...rule, id: '/home/ren\u00e9/base.yaml:rules[0]' };
    expect(storedScriptProblems({ scenarios: [], rules: [{ rule: unnamed }] })).toEqual([]);
  });

  it.each([
    [
      'a header with a line break',
      { ...rule, then: { respond: { headers: { 'X-A': 'a\r\nb: c' } } } },
      /^tables\.rules\[0\]\.rule$/,
    ],
    ['an expression that cannot be read', { ...rule, match: { url: '/(a/' } }, /rule$/],
    ['an id of two lines', { ...rule, id: 'a\nb' }, /rule\.id$/],
    ['no id', { ...rule, id: '' }, /rule\.id$/],
    ['no source', { ...rule, source: null }, /rule\.source$/],
    ['an unknown hook', { ...rule, when: 'message.eat' }, /rule$/],
    ['no rule at all', 'rule', /rule\.id$/],
  ])('is refused with %s', (_what, bad, path) => {
    const [asRule] = storedScriptProblems({ scenarios: [], rules: [{ rule: bad }] });
    expect(asRule?.path).toMatch(path);
    expect(asRule?.message).not.toBe('');
    const [inScenario] = storedScriptProblems({ scenarios: [{ scenario: { ...scenario, rules: [bad] } }], rules: [] });
    expect(inScenario?.path).toMatch(/^tables\.scenarios\[0\]\.scenario\.rules\[0\]/);
  });

  it.each([
    ['lists that are none', { ...scenario, rules: 'x' }],
    ['a step that is none', { ...scenario, timeline: [{ at: 'never', emit: {} }] }],
    ['an expectation that is none', { ...scenario, expect: [{ that: 'unicorns' }] }],
    ['a template that is none', { ...scenario, given: { templates: [{ name: 'A B' }] } }],
    ['something given that is not known', { ...scenario, given: { unicorns: [{}] } }],
    ['a clock that is none', { ...scenario, clock: { mode: 'sideways' } }],
    ['nothing', null],
  ])('is refused with %s', (_what, bad) => {
    expect(storedScriptProblems({ scenarios: [{ scenario: bad }], rules: [] })).not.toEqual([]);
  });
});
