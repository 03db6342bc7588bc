/** Plays the file of a break with `scenario run`, as its reader would: with the fault it must fail, without it pass. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApplication } from '../../runner/application.js';
import { reasonIn } from '../../runner/story.js';
import { within } from '../../time/system-clock.js';
import { writeFile, type HowPlayed } from '../../explore/file.js';
import type { ExploreOptions, FileRequest } from '../../explore/options.js';
import { shellWords } from '../command.js';

interface Parts {
  readonly how: Omit<HowPlayed, 'command'>;
  /** What follows the name of the file in `scenario run`. @param steered whether the story moves the clock */
  readonly operands: (steered: boolean) => readonly string[];
  /** The scenario that the files extend, and its text. */
  readonly base: { readonly name: string; readonly text: string } | null;
  readonly ownVariables: () => Promise<Record<string, string>>;
}

const STOP_MS = 1_000;

export function filePlayer({ how, base, ownVariables, ...parts }: Parts): ExploreOptions['playFile'] {
  return async (request) => {
    const operands = parts.operands(request.reference.run.facts.steered);
    const command = shellWords(operands);
    const { name, text, without, shows } = writeFile(request, { ...how, command });
    if (!shows) return { name, text, noFile: request.placed.point.account === '' ? hidden : ofTest };
    const dir = mkdtempSync(join(tmpdir(), 'messaging-explore-file-'));
    try {
      if (base) writeFileSync(join(dir, base.name), base.text);
      const played = async (content: string, part: string) => {
        const file = join(dir, part);
        writeFileSync(file, content);
        return play(file, operands, await ownVariables(), request);
      };
      const { inTurn } = request;
      const [wrong, right] = await Promise.all([
        inTurn(() => played(text, name)),
        inTurn(() => played(without, `without-${name}`)),
      ]);
      const isShown = wrong === 'failed' || wrong === 'late';
      if (isShown && right === 'passed') return { name, text };
      // Plays of the story may show what its file cannot.
      if (isShown) return { name, text, noFile: `Without the fault, its scenario ${problemOf(right)}.` };
      return { name, text, problem: `Its scenario did not show it again: with the fault it ${problemOf(wrong)}.` };
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  };
}

const hidden = 'Only the state, the output or the end of the application shows this.';
const ofTest = 'It is the account of one test, which no scenario file prepares.';

type Played = 'passed' | 'failed' | 'late' | { readonly trouble: string };

const problemOf = (played: Played): string =>
  typeof played === 'object' ? `did not run (${played.trouble})` : played === 'late' ? 'did not end in time' : played;

async function play(
  file: string,
  operands: readonly string[],
  variables: Readonly<Record<string, string>>,
  { limitMs }: FileRequest,
): Promise<Played> {
  const main = [process.execPath, ...process.execArgv, process.argv[1] ?? ''];
  const command = [...main, 'scenario', 'run', '--json', file, ...operands];
  const child = startApplication({ command, variables });
  try {
    const code = await within(limitMs(), child.ended);
    if (code === 'late') return 'late';
    if (code === 0) return 'passed';
    return code === 1 ? 'failed' : { trouble: `exit code ${code}${reasonIn(child.output.stderr)}` };
  } finally {
    await child.stop(STOP_MS);
  }
}
