import { ServiceError } from '../../domain/errors.js';

/** The store tries to write again every second. */
const headers = { 'Retry-After': '1' };

/** Returns the error of a call that would change something while the disk is not writable. */
export function notWritable(reason: string): ServiceError {
  const advice = 'Nothing was changed. Free disk space or repair the disk, then send the call again. Reads still work.';
  return new ServiceError('store_unavailable', `${reason}. ${advice}`, { headers });
}

/** Throws the error of a call whose change is in memory and could not be written. */
export function unwritten(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `The change of this call is not on disk: ${reason}`;
  throw new ServiceError('store_unavailable', message, { cause: error, headers });
}
