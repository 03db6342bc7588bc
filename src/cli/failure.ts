/**
 * 1: the command failed. 2: usage error. 126 and 127, as in shells: the user's own command cannot be executed, or does not
 * exist.
 */
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

/** Ends the process with an exit code and no message, such as that of the user's command. */
export class QuietExit extends Error {
  override readonly name = 'QuietExit';
  constructor(readonly exitCode: number) {
    super(`exit code ${exitCode}`);
  }
}
