/** Reads the verdict of the account's scenario, without a format that is for other programs. */
import { type Api, done } from '../../core/api.js';
import type { Verdict } from '../../core/records.js';

export async function readVerdict(api: Api): Promise<Verdict> {
  return (await done(api.GET('/_sandbox/verdict'))) as Verdict;
}
