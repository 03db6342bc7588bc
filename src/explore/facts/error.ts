/** The story cannot be explored, or what was asked is wrong; the message says why, and what to do. */
export class ExploreError extends Error {
  override readonly name = 'ExploreError';

  /** A line for each fact that shows in what state a run has ended. */
  readonly end: readonly string[];
  /** True if more time may help. */
  readonly isLate: boolean;

  constructor(
    message: string,
    {
      end = [],
      isLate = end.length === 0,
      ...options
    }: ErrorOptions & { end?: readonly string[]; isLate?: boolean } = {},
  ) {
    super(message, options);
    this.end = end;
    this.isLate = isLate;
  }
}
