/** Plays the file as its reader would, with `scenario run`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from './spawn.js';
import { reasonIn } from './command-story.js';
import { within } from '../time/system-clock.js';
import type { ExploreOptions } from '../explore/tries/options.js';

interface Parts {
  /** The words after the name of the file. `steered`: the story moves the clock. */
  readonly operands: (steered: boolean) => readonly string[];
  readonly base: { readonly name: string; readonly text: string } | null;
  readonly ownVariables: () => Promise<Record<string, string>>;
}

const STOP_MS = 1_000;

export function filePlayer({ operands, base, ownVariables }: Parts): NonNullable<ExploreOptions['playFile']> {
  return async (name, text, steered, limitMs) => {
    const dir = mkdtempSync(join(tmpdir(), 'messaging-explore-file-'));
    if (base) writeFileSync(join(dir, base.name), base.text);
    const file = join(dir, name);
    writeFileSync(file, text);
    const main = [process.execPath, ...process.execArgv, process.argv[1] ?? ''];
    const command = [...main, 'scenario', 'run', '--json', file, ...operands(steered)];
    const child = startProgram({ command, variables: await ownVariables() });
    try {
      const code = await within(limitMs, child.ended);
      if (code === 'late' || code === 1) return 'failed';
      return code === 0 ? 'passed' : `did not run (exit code ${code}${reasonIn(child.output.stderr)})`;
    } finally {
      await child.stop(STOP_MS);
      rmSync(dir, { recursive: true, force: true });
    }
  };
}

/** Returns a shell command with the variables that each try has: after its reset, and with an empty folder. */
export function againCommand(command: string, reset: string | null): string {
  const variables = 'SANDBOX_TMP=$(mktemp -d) SANDBOX_TRY=again-$$';
  return reset === null ? `${variables} ${command}` : `(export ${variables}; { ${reset}; } && ${command})`;
}
