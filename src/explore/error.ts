/** The story cannot be explored, or what was asked is wrong; the message says why, and what to do. */
export class ExploreError extends Error {
  override readonly name = 'ExploreError';

  /** A line for each fact that shows in what state a run has ended. */
  readonly end: readonly string[];

  constructor(message: string, { end = [], ...options }: ErrorOptions & { readonly end?: readonly string[] } = {}) {
    super(message, options);
    this.end = end;
  }
}
