/** A story that is a command: each try starts it in its own process group. */
import type { PlayStory } from './story.js';
import { callsMade, inBrackets, restartAfter, restartBy, saidBy, startProcess, StoryError, within } from './story.js';

export interface CommandStory {
  readonly command: readonly string[];
  /** Files and URLs that show the application's state. */
  readonly observe: readonly string[];
  /** The command that restarts the application. */
  readonly restart: string | null;
}

/** A play throws StoryError if the command cannot be started. */
export function commandStory({ command, observe, restart }: CommandStory): PlayStory {
  return async ({ variables, account, placed, timeoutMs }) => {
    const story = startProcess(command, variables);
    const over = new AbortController();
    const count = restart === null ? null : restartAfter(placed);
    const restarting =
      count === null || restart === null
        ? Promise.resolve(false)
        : callsMade(account, count, over.signal).then(async (made) => {
            if (made) await restartBy(restart, variables);
            return made;
          });
    // `restarting` is awaited after the command has exited.
    restarting.catch(() => undefined);
    const code = await within(timeoutMs, story.ended);
    over.abort();
    const [restarted] = await Promise.all([restarting, story.stop()]);
    if (story.startError !== null)
      throw new StoryError(`"${command[0] ?? ''}" cannot be run: ${story.startError.message}.`);
    const { output, lastLine } = story;
    const said = await saidBy(output.stdout, observe, variables['MESSAGING_API_KEY'] ?? '');
    if (code === 'late') return { said, failure: null, timedOut: true, restarted };
    const words = code > 128 ? `a signal ended it (${code})` : `exit code ${code}`;
    const failure = code === 0 ? null : `${words}${inBrackets(lastLine)}`;
    return { said, failure, timedOut: false, restarted };
  };
}
