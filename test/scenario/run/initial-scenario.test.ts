import fs, { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Config } from '../../../src/config/index.js';
import type { Log } from '../../../src/log.js';
import type { Sandbox } from '../../../src/sandbox.js';
import { ScenarioFileError } from '../../../src/language/problems.js';
import { ScenarioLibrary } from '../../../src/reader/library.js';
import { StartingScenarios } from '../../../src/stage/starting-scenario.js';
import { newWorld, type Control } from '../../support/client.js';
import { ManualHost } from '../../support/manual-host.js';
import { startTestSandbox } from '../../support/sandbox.js';
import { frozen, latestCall, ruleOf, trySend } from '../../support/scenes.js';

const to = '+12025550110';

let folder: string;
let file: string;
const opened: Sandbox[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scenarios-'));
  file = join(folder, 'mine.yaml');
});
afterEach(async () => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  await Promise.all(opened.splice(0).map((sandbox) => sandbox.close()));
  rmSync(folder, { recursive: true });
});

/** Two rules, the second of which answers with this status from the second send on. */
const yaml = (status: number | string) => `version: 1
given: { templates: [{ name: order_shipped, category: utility, language: en, body: 'Order {{1}} left' }] }
rules:
  - { id: once, when: message.send, pick: { calls: 1 }, then: { respond: { status: 500 } } }
  - { id: answers, when: message.send, then: { respond: { status: ${status} } } }
`;

async function started(config: Partial<Config>, log?: Log): Promise<Sandbox> {
  const sandbox = await startTestSandbox({ clock: frozen, ...config }, log ? { log } : {});
  opened.push(sandbox);
  return sandbox;
}

/** As the disk answers for a file whose rights were taken away. */
function takeRights(path: string): Promise<void> {
  const real = fs.readFileSync;
  vi.spyOn(fs, 'readFileSync').mockImplementation((...args) => {
    if (args[0] === path) throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    return real(...args);
  });
  // The sources import the function by its name.
  syncBuiltinESMExports();
  return Promise.resolve();
}

describe('--scenario', () => {
  it('is what every account is born with, unless its key carries another', async () => {
    writeFileSync(file, yaml(503));
    const sandbox = await started({ scenarios: [file] });
    for (const world of [newWorld(sandbox), newWorld(sandbox)]) {
      expect(await world.get('/_sandbox/scenario')).toMatchObject({ name: 'mine', file });
      expect(ruleOf(await trySend(world, to))).toBe('once');
      await world.post('/_sandbox/reset');
      expect(await world.get('/_sandbox/scenario')).toMatchObject({ name: 'mine' });
    }
    const carrying = newWorld(sandbox, 'worker~flaky-api');
    expect(await carrying.get('/_sandbox/scenario')).toMatchObject({ name: 'flaky-api' });
  });

  it('may be a known name; files named besides are known from then on', async () => {
    writeFileSync(file, yaml(503));
    const sandbox = await started({ scenarios: ['otp-trouble', file] });
    const world = newWorld(sandbox);
    expect(await world.get('/_sandbox/scenario')).toMatchObject({ name: 'otp-trouble' });
    await world.put('/_sandbox/scenario', { name: 'mine' });
    expect(await newWorld(sandbox, 'a~mine').get('/_sandbox/scenario')).toMatchObject({ name: 'mine' });
  });

  it.each([
    ['is gone', () => rm(file)],
    ['is a folder now', () => rm(file).then(() => mkdir(file))],
    ['may not be read', () => takeRights(file)],
  ])('a known file that %s is a broken scenario like any other, and takes nothing with it', async (_what, spoil) => {
    writeFileSync(file, yaml(503));
    const sandbox = await started({ scenarios: ['otp-trouble', file] });
    const world = newWorld(sandbox);
    await spoil();
    const { items } = await world.get<Control['ScenarioList']>('/_sandbox/scenarios');
    expect(items.find(({ name }) => name === 'otp-trouble')).toMatchObject({ valid: true });
    const problems = [expect.objectContaining({ code: 'unreadable_file', file })];
    expect(items.find(({ name }) => name === 'mine')).toMatchObject({ valid: false, problems });
    expect(await world.get('/_sandbox/scenarios/mine')).toMatchObject({ valid: false, problems, source: '' });
    const refused = await world.call('PUT', '/_sandbox/scenario', { name: 'mine' });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'scenario_invalid' } } });
    const extending = await world.call('PUT', '/_sandbox/scenario', { version: 1, extends: ['mine'] });
    expect(extending).toMatchObject({ status: 400, body: { error: { details: [{ code: 'unknown_scenario' }] } } });
    const carrying = newWorld(sandbox, 'worker~mine');
    for (let call = 0; call < 2; call += 1) {
      expect((await carrying.call('GET', '/v1/templates')).status).toBe(200);
      expect((await latestCall(carrying)).warnings).toEqual([expect.stringContaining('cannot be read')]);
    }
  });

  it('with a bad file the start fails, with every problem, its place and a frame', async () => {
    writeFileSync(file, yaml(999).replace('id: once, when: message.send', 'id: once, when: mesage.send'));
    const failure: unknown = await started({ scenarios: [file] }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ScenarioFileError);
    const { message, problems } = failure as ScenarioFileError;
    expect(problems.map(({ line, column }) => [line, column])).toEqual([
      [4, 23],
      [5, 67],
    ]);
    expect(message).toContain(`${file}:4:23: `);
    expect(message).toContain('> 4 |   - { id: once, when: mesage.send');
    expect(message).toMatch(/\n +\| +\^\n/);
    expect(message).toContain('meant:    message.send');
    expect(message).toContain(`${file}:5:67: `);
  });
});

describe('--watch', () => {
  /** A log that lets a test wait for a line. */
  function listeningLog() {
    const waiting: { text: RegExp; resolve: (line: string) => void }[] = [];
    const note = (line: string) => {
      for (const each of waiting.filter(({ text }) => text.test(line))) {
        waiting.splice(waiting.indexOf(each), 1);
        each.resolve(line);
      }
    };
    const log: Log = { debug: note, info: note, warn: note, error: note };
    return { log, said: (text: RegExp) => new Promise<string>((resolve) => waiting.push({ text, resolve })) };
  }

  /** As editors save: a new file takes the place of the old one. */
  function save(text: string): void {
    writeFileSync(join(folder, 'new.tmp'), text);
    renameSync(join(folder, 'new.tmp'), file);
  }

  it('a save is loaded where the scenario is active, on the old counts; a bad one keeps the old and says why', async () => {
    writeFileSync(file, yaml(503));
    const { log, said } = listeningLog();
    const sandbox = await started({ scenarios: [file], watch: true }, log);
    const world = newWorld(sandbox);
    const elsewhere = newWorld(sandbox, 'worker~flaky-api');
    await elsewhere.get('/_sandbox/scenario');
    expect([(await trySend(world, to)).status, (await trySend(world, to)).status]).toEqual([500, 503]);

    const loaded = said(/was reloaded$/);
    save(yaml(504));
    expect(await loaded).toContain('mine');
    expect((await trySend(world, to)).status).toBe(504);
    expect(await world.get<Control['ActiveScenario']>('/_sandbox/scenario')).toMatchObject({ source: yaml(504) });
    expect(await elsewhere.get('/_sandbox/scenario')).toMatchObject({ name: 'flaky-api' });

    const refused = said(/keeping the previous version/);
    save(yaml('teapot'));
    const line = await refused;
    expect(line).toContain(`${file}:5:67: `);
    expect((await trySend(world, to)).status).toBe(504);
    expect((await newWorld(sandbox).get<Control['ActiveScenario']>('/_sandbox/scenario')).source).toBe(yaml(504));

    const mended = said(/was reloaded$/);
    save(yaml(502));
    await mended;
    expect((await trySend(world, to)).status).toBe(502);
  });

  it('a save of a file that is extended is one of the scenario', async () => {
    const base = (status: number) =>
      `version: 1\nrules: [{ id: base, when: message.send, then: { respond: { status: ${status} } } }]\n`;
    writeFileSync(join(folder, 'base.yaml'), base(501));
    writeFileSync(file, 'version: 1\nextends: [base]\n');
    const { log, said } = listeningLog();
    const world = newWorld(await started({ scenarios: [file], watch: true }, log));
    expect((await trySend(world, to)).status).toBe(501);
    const loaded = said(/was reloaded$/);
    writeFileSync(join(folder, 'new.tmp'), base(502));
    renameSync(join(folder, 'new.tmp'), join(folder, 'base.yaml'));
    await loaded;
    expect((await trySend(world, to)).status).toBe(502);
  });

  it('a save before the watch begins is loaded', async () => {
    writeFileSync(file, yaml(503));
    const { log, said } = listeningLog();
    const host = new ManualHost();
    const starting = new StartingScenarios(new ScenarioLibrary(null), [file]);
    const loaded = said(/was reloaded$/);
    save(yaml(504));
    starting.watch(host, log, () => undefined);
    await loaded.finally(() => starting.close());
    expect(host.pending).toBe(0);
    expect(starting.of('any')?.text).toBe(yaml(504));
  });

  it('a file that an invalid save extends is watched, too, until the scenario is valid again', async () => {
    writeFileSync(file, yaml(503));
    const { log, said } = listeningLog();
    const world = newWorld(await started({ scenarios: [file], watch: true }, log));
    const other = join(folder, 'other.yaml');
    writeFileSync(other, 'version: 1\nrules: [{ when: message.send, then: { respond: { status: teapot } } }]\n');
    const refused = said(/keeping the previous version/);
    save('version: 1\nextends: [other]\n');
    expect(await refused).toContain(`${other}:2:`);
    const loaded = said(/was reloaded$/);
    writeFileSync(other, 'version: 1\nrules: [{ when: message.send, then: { respond: { status: 505 } } }]\n');
    await loaded;
    expect((await trySend(world, to)).status).toBe(505);
  });
});
