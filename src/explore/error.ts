/** The story cannot be explored, or what was asked is wrong; the message says why, and what to do. */
export class ExploreError extends Error {
  override readonly name = 'ExploreError';
}
