/** A setting that cannot be used. One line: where it came from, what was found, what is allowed (contract §8: exit 2). */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(
    /** The flag or variable as the user wrote it, such as `--port` or `SANDBOX_PORT`. */
    readonly source: string,
    problem: string,
    options?: ErrorOptions,
  ) {
    super(`${source}: ${problem}`, options);
  }
}

/** Thrown by the reader of one value, which does not know yet whether a flag or a variable brought it. */
export class ValueError extends Error {
  override readonly name = 'ValueError';

  /** The usual sentence: what was found, and what is allowed in its place. */
  static of(found: string, reason: string, allowed: string): ValueError {
    return new ValueError(`"${found}" ${reason}. Allowed: ${allowed}.`);
  }
}
