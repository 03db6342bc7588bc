/** The scenario files of the sandbox. They are read each time they are shown, because files change. */
import { act, ApiError, type Api } from '../../core/api.js';
import { readWhole } from '../../core/export.js';
import { model } from '../../core/current.js';
import type { KnownScenario } from '../../core/records.js';
import { useRead } from '../../core/use-record.js';

/**
 * Reads the list, also when the sandbox comes back.
 * @param again a change reads it again
 * @returns null until it has loaded
 */
export function useKnown(again: unknown = null): readonly KnownScenario[] | null {
  const { api, stream } = model.value;
  return useRead(() => allKnown(api), [api, again, stream.connection.value.state]);
}

/** Returns null if the sandbox is unreachable: an unknown list differs from an empty one. */
async function allKnown(api: Api): Promise<KnownScenario[] | null> {
  try {
    return await readWhole((page) => api.get('/_sandbox/scenarios', page));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return null;
  }
}

/**
 * Activates a scenario of the list.
 * @returns whether it is active now
 */
export async function activateKnown(name: string): Promise<boolean> {
  const account = model.value;
  const done = await act(account.api.put('/_sandbox/scenario', { body: { name } }), `${name} is active.`);
  if (done) account.scenario.value = done;
  return done !== null;
}
