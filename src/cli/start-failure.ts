import type { Config } from '../config/index.js';
import { CliFailure } from './failure.js';

/**
 * Turns what stopped a start into one line with a way out. Errors that carry a sentence of their own keep it: those
 * about scenario files and about the data directory list what is wrong themselves. A programming mistake is handed
 * back as it is: its stack is what a report needs.
 */
export function startFailure(error: unknown, { host, port }: Config): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const where = `port ${port} on ${host}`;
  const say = (text: string): CliFailure => new CliFailure(1, text, { cause: error });
  switch (code) {
    case 'EADDRINUSE':
      return say(
        `${where} is in use, by another sandbox or another program. Stop it, or take a free port with --port 0.`,
      );
    case 'EACCES':
      return say(`${where} may not be used without more rights. Take one above 1023, or a free one with --port 0.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new CliFailure(
        2,
        `--host ${host} is not an address of this machine. Allowed: 127.0.0.1, 0.0.0.0, or one of its own addresses.`,
        { cause: error },
      );
    default:
      if (isBadSetting(error)) return new CliFailure(2, error.message, { cause: error });
      return isMistakeOfOurs(error) ? error : say(error instanceof Error ? error.message : String(error));
  }
}

function isMistakeOfOurs(error: unknown): error is Error {
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
}

/** Told by their names: importing the classes would load half the server for a command line that may only want help. */
function isBadSetting(error: unknown): error is Error {
  return error instanceof Error && ['ScenarioStartError', 'DataDirectoryError'].includes(error.name);
}
