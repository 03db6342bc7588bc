import type { HostTime } from '../../time/system-clock.js';
import { type Tables, tableEntries } from './account-data.js';

/** A few milliseconds of work. */
const sliceRows = 2000;

/**
 * Files what a start left out of the indexes, in slices, while the account is already at work: a start waits for none of
 * it, and nobody who lists soon after waits for much. Stops when `over` says so.
 */
export async function catchUp(tables: Tables, host: Pick<HostTime, 'defer'>, over: () => boolean): Promise<void> {
  for (const [, table] of tableEntries(tables)) {
    while (!over() && table.catchUp(sliceRows)) await new Promise<void>((resolve) => host.defer(resolve));
  }
}
