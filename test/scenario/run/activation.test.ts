import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { newWorld, type Answer, type Control, type World } from '../../support/client.js';
import { useSandbox } from '../../support/sandbox.js';
import { at, frozen, play, ruleOf, stage, startMs, trySend } from '../../support/scenes.js';

const to = '+12025550110';

const { sandbox, it } = useSandbox({ clock: frozen });

type Active = Control['ActiveScenario'];
interface Invalid {
  readonly error: { readonly code: string; readonly message: string; readonly details: Control['ScenarioProblem'][] };
}

const active = (world: World) => world.get<Active>('/_sandbox/scenario');
const putYaml = (world: World, yaml: string, type = 'application/yaml', path = '/_sandbox/scenario') =>
  world.call<Active & Invalid>(path.endsWith('check') ? 'POST' : 'PUT', path, yaml, { 'content-type': type });

describe('activation', () => {
  it('by name', async ({ world }) => {
    expect(await active(world)).toMatchObject({ name: null, scenario: null, activated_at: null, rules: [] });
    const shown = await world.put<Active>('/_sandbox/scenario', { name: 'flaky-api' });
    expect(shown).toMatchObject({ name: 'flaky-api', activated_at: at(0) });
    expect(shown.file).toMatch(/scenarios[\\/]flaky-api\.yaml$/);
    expect(shown.source).toMatch(/^# Conditions\. What it shows/);
    expect(shown.rules[0]).toMatchObject({ id: 'too-fast', hits: 0, last_hit: null });
    const answer = await trySend(world, to);
    expect([answer.status, ruleOf(answer)]).toEqual([429, 'too-fast']);
    expect((await active(world)).rules[0]).toMatchObject({ hits: 1, last_hit: { at: at(0), subject: to } });
  });

  it.each(['application/yaml', 'text/yaml', 'application/x-yaml; charset=utf-8'])(
    'by a YAML body, as %s',
    async (type) => {
      const world = newWorld(sandbox);
      const yaml = [
        '# Ada is never reached.',
        'version: 1',
        'name: my-own',
        'rules:',
        '  - { id: mine, when: otp.send, match: { phone: +12025550110 }, then: { otp: { code: 042042 } } }',
        'given: { templates: [{ name: login, category: authentication, language: no }] }',
      ].join('\n');
      const { status, body } = await putYaml(world, yaml, type);
      expect([status, body.name, body.source]).toEqual([200, 'my-own', yaml]);
      // The traps of YAML: number, code and language mean what they say.
      const { otp_id } = await world.post<{ otp_id: string }>('/v1/otp/send', { to });
      expect(await world.get(`/_sandbox/otps/${otp_id}`)).toMatchObject({ code: '042042' });
      expect(await world.items('/_sandbox/templates')).toMatchObject([{ language: 'no' }]);
    },
  );

  it('by a JSON body; the answer shows it with what is unusual about it', async ({ world }) => {
    const shown = await play(world, {
      name: 'json',
      rules: [{ when: 'message.send', match: { phone: '+4915155555555' }, then: { lifecycle: 'happy' } }],
    });
    expect(shown).toMatchObject({ name: 'json', rules: [{ id: 'rules[0]' }] });
    expect(shown.warnings.map(({ code }) => code)).toEqual(['number_not_fictional']);
  });

  it('is taken back by DELETE: rules are gone, what they caused stays', async () => {
    const world = await stage(sandbox, [{ when: 'message.send', then: { lifecycle: 'blocked' } }]);
    await trySend(world, to);
    await world.delete('/_sandbox/scenario');
    expect(await active(world)).toMatchObject({ name: null });
    expect(ruleOf(await trySend(world, to))).toBeNull();
    await world.advance('1m');
    const shown = await world.items<Control['Message']>('/_sandbox/messages');
    expect(shown.map(({ status }) => status)).toEqual(['failed', 'read']);
  });

  it('of an unknown name says which are known, and which was meant', async () => {
    const { status, body } = await newWorld(sandbox).call('PUT', '/_sandbox/scenario', { name: 'flaky_api' });
    expect([status, body.error.code]).toEqual([404, 'not_found']);
    expect(body.error.message).toContain('Did you mean "flaky-api"?');
    expect(body.error.message).toContain('otp-trouble');
  });
});

describe('a scenario as JSON', () => {
  const putJson = (world: World, text: string, path?: string) => putYaml(world, text, 'application/json', path);

  it('is read from the text that was sent, and shown as it was written', async () => {
    const text = '{ "version": 1,\n\t"name": "mine" }';
    const { status, body } = await putJson(newWorld(sandbox), text);
    expect([status, body.name, body.source]).toEqual([200, 'mine', text]);
  });

  it('has its problems where the author wrote them, a key given twice among them', async () => {
    const text =
      '{ "version": 1, "seed": 1,\n  "seed": 2,\n "rules": [{ "when": "mesage.send",\n "then": { "lifecycle": "happy" } }] }';
    for (const path of ['/_sandbox/scenario', '/_sandbox/scenarios/check']) {
      const { status, body } = await putJson(newWorld(sandbox), text, path);
      expect([status, body.error.code]).toEqual([400, 'scenario_invalid']);
      expect(body.error.details).toMatchObject([
        { line: 2, column: 3, path: 'seed', code: 'duplicate_key' },
        { line: 3, column: 22, path: 'rules[0].when', suggestion: 'message.send' },
      ]);
    }
    const rule = '{ "when": "otp.send",\n "then": { "otp": { "attempts": 0 } } }';
    const world = newWorld(sandbox);
    const headers = { 'content-type': 'application/json' };
    const refused = await world.call<Invalid>('POST', '/_sandbox/rules', rule, headers);
    expect(refused.body.error.details).toMatchObject([{ line: 2, column: 33, path: 'then.otp.attempts' }]);
  });
});

describe('a bad scenario', () => {
  const bad = [
    'version: 1',
    'rules:',
    '  - id: broken',
    '    when: mesage.send',
    '    then: { respond: { status: 900 } }',
    'timeline:',
    '  - { at: soon, inbound: { phone: "+12025550110" } }',
  ].join('\n');
  const places = [
    { line: 4, column: 11, path: 'rules[0].when', suggestion: 'message.send' },
    { line: 5, column: 32, path: 'rules[0].then.respond.status' },
    { line: 7, column: 11, path: 'timeline[0].at' },
  ];

  const shows = ({ status, body }: Answer<Invalid>): void => {
    expect([status, body.error.code]).toEqual([400, 'scenario_invalid']);
    expect(body.error.details).toMatchObject(places);
    for (const { message, found, allowed, field } of body.error.details as (Control['ScenarioProblem'] & {
      field: string;
    })[]) {
      expect([message, found, allowed, field].every((text) => typeof text === 'string' && text !== '')).toBe(true);
    }
    expect(body.error.message).toContain('3 errors');
  };

  it('is refused with all of its problems in their places, and the active one stays', async () => {
    const world = await stage(sandbox, [
      { id: 'once', when: 'message.send', pick: { calls: 1 }, then: { respond: { status: 503 } } },
    ]);
    await trySend(world, to);
    const before = await active(world);
    shows(await putYaml(world, bad));
    expect(await active(world)).toEqual(before);
    expect((await trySend(world, to)).status).toBe(200);
  });

  it('comes with what else is unusual about it', async () => {
    const yaml = `${bad.replace('+12025550110', '+4915112345678')}\nseed: x`;
    const { status, body } = await putYaml(
      newWorld(sandbox),
      `${yaml}\nexpect: [{ at: finish, that: otps, where: { state: lockd }, max: 0 }]`,
    );
    const { warnings = [] } = body.error as { warnings?: Control['ScenarioProblem'][] };
    expect([status, warnings.map(({ code, path }) => `${code} ${path}`)]).toEqual([
      400,
      ['number_not_fictional timeline[0].inbound.phone', 'never_fits expect[0].where.state'],
    ]);
  });

  it('can be checked without being activated', async ({ world }) => {
    const check = (yaml: string) => putYaml(world, yaml, 'application/yaml', '/_sandbox/scenarios/check');
    shows(await check(bad));
    const good = await check('version: 1\nname: fine');
    expect([good.status, good.body]).toEqual([200, { valid: true, name: 'fine', warnings: [] }]);
    const named = await world.post('/_sandbox/scenarios/check', { name: 'otp-trouble' });
    expect(named).toEqual({ valid: true, name: 'otp-trouble', warnings: [] });
    expect(await active(world)).toMatchObject({ name: null });
    expect(Date.parse((await world.clock()).now)).toBe(startMs);
  });

  it('cannot reach beyond the known scenarios', async () => {
    const { status, body } = await putYaml(newWorld(sandbox), 'version: 1\nextends: [../package.json, nowhere]');
    expect(status).toBe(400);
    expect(body.error.details.map(({ path }) => path)).toEqual(expect.arrayContaining(['extends[0]']));
    const known = await putYaml(newWorld(sandbox), 'version: 1\nextends: [flaky-api]');
    expect(known.body.rules.map(({ id }) => id)).toContain('too-fast');
  });
});

it('the known ones are listed, the active one marked, page by page', async ({ world }) => {
  await world.put('/_sandbox/scenario', { name: 'slow-review' });
  const shipped = readdirSync('scenarios')
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.replace('.yaml', ''));
  const listed = await world.items<Control['KnownScenario']>('/_sandbox/scenarios');
  expect(listed.map(({ name }) => name)).toEqual(shipped.sort());
  expect(listed.filter((entry) => entry.active).map(({ name }) => name)).toEqual(['slow-review']);
  expect(listed.every(({ valid, description }) => valid && description !== null)).toBe(true);
  const { items, next } = await world.page<Control['KnownScenario']>('/_sandbox/scenarios?limit=5');
  const rest = await world.items<Control['KnownScenario']>(`/_sandbox/scenarios?after=${String(next)}`);
  expect([...items, ...rest]).toEqual(listed);
});

it('a known scenario is read with its text, and an unknown one names what is near', async ({ world }) => {
  await world.put('/_sandbox/scenario', { name: 'otp-trouble' });
  const { source, ...rest } = await world.get<Control['ScenarioText']>('/_sandbox/scenarios/otp-trouble');
  const listed = await world.items<Control['KnownScenario']>('/_sandbox/scenarios');
  expect(rest).toStrictEqual(listed.find(({ name }) => name === 'otp-trouble'));
  expect(rest.active).toBe(true);
  expect(source).toBe(readFileSync('scenarios/otp-trouble.yaml', 'utf8'));
  const missed = await world.call('GET', '/_sandbox/scenarios/otp-truble');
  expect([missed.status, missed.body.error.message]).toEqual([404, expect.stringContaining('"otp-trouble"')]);
});
