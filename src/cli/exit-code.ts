import { CliFailure, QuietExit } from './failure.js';

/** Runs a command. @returns what its end is to a shell; why it did not work is on stderr by then */
export async function exitCodeOf(command: () => Promise<void>): Promise<number> {
  try {
    await command();
    return 0;
  } catch (error) {
    return failed(error);
  }
}

function failed(error: unknown): number {
  if (error instanceof CliFailure) {
    process.stderr.write(`messaging-sandbox: ${error.message}\n`);
    return error.exitCode;
  }
  if (error instanceof QuietExit) return error.exitCode;
  // Help and version end that way too; of a wrong command line commander has printed what is wrong.
  if (isCommanders(error)) return error.exitCode === 0 ? 0 : 2;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`messaging-sandbox: this is a fault of the sandbox itself; please report it.\n${text}\n`);
  return 1;
}

/** Told by its code, so that a command which needs no commander does not load it. */
function isCommanders(error: unknown): error is { readonly exitCode: number } {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');
}
