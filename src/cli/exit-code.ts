import { CommanderError } from 'commander';
import { SandboxError } from '../client/sandbox-error.js';
import { ConfigError } from '../config/values.js';
import { printable } from '../domain/text.js';
import { CliFailure, QuietExit } from '../failure.js';

function messageOf({ code, status, message }: SandboxError): string {
  if (code === 'unreachable') return `${message} For another sandbox, set --url or MESSAGING_BASE_URL.`;
  // The message names what is wrong; the code and the status are for programs.
  const isAboutArguments = status === null || code === 'not_a_sandbox' || code === 'validation_error';
  return isAboutArguments ? message : `${code} (${status}): ${message}`;
}

export async function exitCodeOf(command: () => Promise<void>): Promise<number> {
  // An error may quote text from a server or a file.
  const failed = (exitCode: number, message: string): number => {
    process.stderr.write(`messaging-sandbox: ${printable(message)}\n`);
    return exitCode;
  };
  try {
    await command();
    return 0;
  } catch (error) {
    if (error instanceof CliFailure) return failed(error.exitCode, error.message);
    if (error instanceof ConfigError) return failed(2, error.message);
    if (error instanceof SandboxError) {
      // Errors that an argument of the command line caused.
      const isUsage = error.code === 'invalid_option' || error.code === 'validation_error';
      return failed(isUsage ? 2 : 1, messageOf(error));
    }
    if (error instanceof QuietExit) return error.exitCode;
    // Help and version also end this way.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return failed(1, `this is an error in the sandbox itself. Please report it.\n${text}`);
  }
}
