/** Errors of the file system, and those that callers get for them. */
import { ServiceError } from '../domain/errors.js';

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

/** The store tries to write again every second. */
const retryHeaders = { 'Retry-After': '1' };

/** Returns the error of a call that would change something while the disk is not writable. */
export function notWritable(reason: string): ServiceError {
  const advice = 'Nothing was changed. Free disk space or repair the disk, then send the call again. Reads still work.';
  return new ServiceError('store_unavailable', `${reason}. ${advice}`, { headers: retryHeaders });
}

/** Throws the error of a call whose change is in memory and could not be written. */
export function unwritten(error: unknown): never {
  const message = `The change of this call is not on disk: ${errorText(error)}`;
  throw new ServiceError('store_unavailable', message, { cause: error, headers: retryHeaders });
}
