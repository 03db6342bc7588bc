/** Errors of the file system, and the one for a data directory that cannot be used. */

/** Returns the system's code of an error, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the result of `work`, or undefined if the file is missing. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** A path that cannot be used as the data directory; reported as an invalid setting. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
}
