export type FailureCode = 1 | 2 | 126 | 127;

/** Ends a command with one message on stderr and an exit code, without a stack. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';
  constructor(
    readonly exitCode: FailureCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A command line or a file that cannot be used; nothing was done. */
export class UsageError extends CliFailure {
  constructor(message: string, options?: ErrorOptions) {
    super(2, message, options);
  }
}

/** For example, the exit code of the user's command. */
export class QuietExit extends Error {
  override readonly name = 'QuietExit';
  constructor(readonly exitCode: number) {
    super(`exit code ${exitCode}`);
  }
}

/** Handler for `catch`: an error of this class ends the command with its message, behind `prefix`. @throws CliFailure */
export function failWith(exitCode: FailureCode, kind: new (...parts: never[]) => Error, prefix = '') {
  return (error: unknown): never => {
    if (error instanceof kind) throw new CliFailure(exitCode, prefix + error.message, { cause: error });
    throw error;
  };
}
