import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ScenarioLibrary } from '../../src/reader/library.js';
import { closing } from '../support/closing.js';
import { newWorld, type Control, type Refusal } from '../support/client.js';
import { startTestSandbox } from '../support/sandbox.js';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'scenarios-'));
  closing({ close: () => rmSync(path, { recursive: true }) });
  return path;
}

const textOf = (name: string, more = '') => `version: 1\nname: ${name}\n# kept\n${more}`;

/** Starts a sandbox with a file of the folder, and returns the call that saves. */
async function startWith(scenarios: string[]) {
  const sandbox = closing(await startTestSandbox({ scenarios }));
  const world = newWorld(sandbox);
  const save = (name: string, source: string) =>
    world.call<Control['ScenarioText'] & Refusal>('PUT', `/_sandbox/scenarios/${name}`, { source });
  return { world, save };
}

it('saves over a file that was named at start, byte for byte, and new ones beside it', async () => {
  const place = folder();
  const mine = join(place, 'mine.yaml');
  writeFileSync(mine, textOf('mine'));
  writeFileSync(join(place, 'base.yaml'), textOf('base'));
  const { world, save } = await startWith([mine]);
  const listed = await world.get<Control['ScenarioList']>('/_sandbox/scenarios?limit=1000');
  expect(await world.get('/_sandbox/info')).toMatchObject({ scenarios_folder: place });
  expect(listed.items.filter(({ writable }) => writable).map(({ name }) => name)).toStrictEqual(['mine']);

  const text = textOf('mine', 'extends: [base]\ndescription: Übung\r\n');
  expect(await save('mine', text)).toMatchObject({ status: 200, body: { file: mine, writable: true, source: text } });
  expect(readFileSync(mine, 'utf8')).toBe(text);
  expect(await save('second', textOf('second'))).toMatchObject({ status: 200, body: { name: 'second' } });
  expect(readFileSync(join(place, 'second.yaml'), 'utf8')).toBe(textOf('second'));
  expect(await world.put('/_sandbox/scenario', { name: 'second' })).toMatchObject({ name: 'second' });
});

it('writes no other file, and no text with errors', async () => {
  const place = folder();
  const [mine, compose] = [join(place, 'mine.yaml'), join(place, 'compose.yaml')];
  writeFileSync(mine, textOf('mine'));
  writeFileSync(compose, 'services: {}\n');
  const { save } = await startWith([mine]);
  for (const [name, status, words] of [
    ['compose', 409, /compose\.yaml exists, and is not a scenario that this sandbox has loaded/],
    ['flaky-api', 403, /"flaky-api" comes with the sandbox and is read-only. Save it under another name/],
    ['..%2Fout', 400, /1 to 100 letters/],
    ['.hidden', 400, /1 to 100 letters/],
    ['a%2Fb', 400, /1 to 100 letters/],
    ['mine.yaml', 400, /1 to 100 letters/],
    ['a'.repeat(101), 400, /1 to 100 letters/],
  ] as const) {
    const { status: found, body } = await save(name, textOf('x'));
    expect([name, found]).toStrictEqual([name, status]);
    expect(body.error.message).toMatch(words);
  }
  const invalid = await save('mine', 'version: 1\nname: mine\nruels: []\n');
  expect([invalid.status, invalid.body.error.code]).toStrictEqual([400, 'scenario_invalid']);
  expect(readFileSync(mine, 'utf8')).toBe(textOf('mine'));
  expect(readFileSync(compose, 'utf8')).toBe('services: {}\n');
  expect(readdirSync(place).sort()).toStrictEqual(['compose.yaml', 'mine.yaml']);
});

it('says so if it has no folder', async () => {
  const { world, save } = await startWith([]);
  expect(await world.get('/_sandbox/info')).not.toHaveProperty('scenarios_folder');
  const { status, body } = await save('mine', textOf('mine'));
  expect(status).toBe(403);
  expect(body.error.message).toContain('Mount one at /scenarios, or start the sandbox with --scenario FILE.');
});

it('takes a mounted folder first, follows no link out of it, and says which file cannot be written', () => {
  const [mounted, elsewhere] = [folder(), folder()];
  writeFileSync(join(elsewhere, 'outside.yaml'), textOf('outside'));
  symlinkSync(join(elsewhere, 'outside.yaml'), join(mounted, 'outside.yaml'));
  writeFileSync(join(mounted, 'plain.json'), '{"version":1,"name":"plain"}');
  writeFileSync(join(mounted, 'mine.yaml'), textOf('mine'));
  const library = new ScenarioLibrary(mounted);
  expect(library.newFilesFolder()).toBe(mounted);
  expect(() => library.save('outside', textOf('outside', '# changed'))).toThrow(/link to a file outside/);
  expect(readFileSync(join(elsewhere, 'outside.yaml'), 'utf8')).toBe(textOf('outside'));
  expect(() => library.save('plain', textOf('plain'))).toThrow(/plain\.json is not a \.yaml file/);
  rmSync(join(mounted, 'mine.yaml'));
  chmodSync(mounted, 0o555);
  closing({ close: () => chmodSync(mounted, 0o755) });
  // The superuser can write everywhere.
  if (process.getuid?.() === 0) return;
  expect(() => library.save('new', textOf('new'))).toThrow(/has no writable folder for scenarios/);
});
