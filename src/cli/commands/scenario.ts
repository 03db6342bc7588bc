import type { Command } from 'commander';
import { CliFailure } from '../failure.js';
import { newCommand } from '../new-command.js';
import { addCheck } from '../scenario/check.js';
import { addList } from '../scenario/list.js';
import { addPlay } from '../scenario/play.js';
import { addRun } from '../scenario/run.js';
import { addUse } from '../scenario/use.js';

/** `scenario`: checks, lists, activates and runs scenario files. @param command the arguments after `--` */
export function define(command: readonly string[]): Command {
  const scenario = newCommand('scenario', 'Check, list, activate and play scenario files.');
  for (const add of [addCheck, addList, addPlay, addUse]) add(scenario);
  addRun(scenario, command);
  return scenario.hook('preAction', (_scenario, called) => {
    if (called.name() === 'run' || command.length === 0) return;
    const found = `"-- ${command.join(' ')}"`;
    throw new CliFailure(
      2,
      `scenario ${called.name()}: ${found} is not run here. Only "scenario run" takes a command.`,
    );
  });
}
