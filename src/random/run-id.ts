/** The only real chance: it tells runs apart that reach one sandbox. */
import { randomBytes } from 'node:crypto';

/** 10 lower-case letters and digits. */
export function runId(): string {
  return BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .slice(-10)
    .padStart(10, '0');
}
