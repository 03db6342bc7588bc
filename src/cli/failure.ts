/**
 * 1: it was asked for correctly and did not work. 2: it was asked for wrongly (contract §8). 126, 127: as shells have it, the
 * user's own command may not be run, or is not there.
 */
export type FailureCode = 1 | 2 | 126 | 127;

/** Ends a command with one clear message on stderr and an exit code; never with a stack. */
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

/** Ends the process with a code that is somebody else's, such as that of a command we ran; everything is said already. */
export class QuietExit extends Error {
  override readonly name = 'QuietExit';
  constructor(readonly exitCode: number) {
    super(`exit code ${exitCode}`);
  }
}
