/** A scenario in a snapshot is validated like a file. */
import { readdirSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { storedScriptProblems } from '../../../src/stage/stored-script.js';
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
      body: { error: { details: [{ field: 'state.tables.rules[0].rule.then.respond.headers.X-A' }] } },
    });
    expect((await world.items('/_sandbox/snapshots')).map(({ name }) => name)).toEqual(['whole']);
  });

  const rule = { id: 'r', when: 'api.any', then: { respond: { status: 503 } }, source: { file: 'a.yaml', line: 1 } };
  const scenario = { name: 's', defaults: {}, given: {}, rules: [rule], timeline: [], expect: [], files: ['a.yaml'] };

  it('as the loader made it has no problems', () => {
    expect(storedScriptProblems({ scenarios: [{ scenario }], rules: [{ rule }] })).toEqual([]);
    // A rule that had no id is named by its file, wherever that lies.
    const unnamed = { ...rule, id: '/home/ren\u00e9/base.yaml:rules[0]' };
    const many = { customers: Array.from({ length: 1500 }, (_, n) => ({ phone: `+1202555${1000 + n}` })) };
    const merged = { ...scenario, given: many };
    expect(storedScriptProblems({ scenarios: [{ scenario: merged }], rules: [{ rule: unnamed }] })).toEqual([]);
  });

  it.each([
    [
      'a header with a line break',
      { then: { respond: { headers: { 'X-A': 'a\r\nb: c' } } } },
      '.then.respond.headers.X-A',
    ],
    ['an expression that cannot be read', { match: { url: '/(a/' } }, '.match.url'],
    ['an id of two lines', { id: 'a\nb' }, '.id'],
    ['no id', { id: '' }, '.id'],
    ['no source', { source: null }, '.source'],
    ['an unknown hook', { when: 'message.eat' }, '.when'],
    ['a status that does not exist', { then: { respond: { status: 900 } } }, '.then.respond.status'],
  ])('is refused with %s', (_what, spoiled, path) => {
    const bad = { ...rule, ...spoiled };
    const [asRule] = storedScriptProblems({ scenarios: [], rules: [{ rule: bad }] });
    expect(asRule?.path).toBe(`tables.rules[0].rule${path}`);
    expect(asRule?.message).toMatch(/^is invalid: ./);
    const [inScenario] = storedScriptProblems({ scenarios: [{ scenario: { ...scenario, rules: [bad] } }], rules: [] });
    expect(inScenario?.path).toBe(`tables.scenarios[0].scenario.rules[0]${path}`);
  });

  it.each([
    ['lists that are none', { ...scenario, rules: 'x' }],
    ['a step that is none', { ...scenario, timeline: [{ at: 'never', emit: {} }] }],
    ['an expectation that is none', { ...scenario, expect: [{ that: 'unicorns' }] }],
    ['a template that is none', { ...scenario, given: { templates: [{ name: 'A B' }] } }],
    ['something given that is not known', { ...scenario, given: { unicorns: [{}] } }],
    ['a clock that is none', { ...scenario, clock: { mode: 'sideways' } }],
    ['a rule that is none', { ...scenario, rules: ['rule'] }],
    ['nothing', null],
  ])('is refused with %s', (_what, bad) => {
    expect(storedScriptProblems({ scenarios: [{ scenario: bad }], rules: [] })).not.toEqual([]);
  });
});
