/** Looking a record up for a control call, or saying that there is none. */
import { ServiceError } from '../../domain/errors.js';

export function found<T>(record: T | undefined, what: string, id: string): T {
  if (record === undefined) throw new ServiceError('not_found', `This account has no ${what} ${id}.`);
  return record;
}
