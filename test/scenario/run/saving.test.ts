import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'saving-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Saves two scenarios in a process that may write files of 4 or 8 KiB at most, as on a disk that is nearly full. */
const saves = `
  import { ScenarioLibrary } from './src/reader/library.ts';
  const library = new ScenarioLibrary(process.argv[1]);
  for (const name of ['mine', 'new']) {
    try {
      library.save(name, 'version: 1\\n#' + 'x'.repeat(100_000));
    } catch (error) {
      console.log(error.message);
    }
  }`;

it.skipIf(process.platform === 'win32')(
  'a scenario is saved as a whole or not at all: a full disk leaves the file as it was, and no new one',
  () => {
    const old = 'version: 1\nname: mine\n';
    writeFileSync(join(folder, 'mine.yaml'), old);
    const node = `"${process.execPath}" --import tsx --input-type=module -e "$0" "$1"`;
    const said = execFileSync('sh', ['-c', `ulimit -f 8; ${node}`, saves, folder], { encoding: 'utf8' });
    expect(said.match(/cannot be written: EFBIG/g)).toHaveLength(2);
    expect(readdirSync(folder)).toEqual(['mine.yaml']);
    expect(readFileSync(join(folder, 'mine.yaml'), 'utf8')).toBe(old);
  },
);
