/** The scenario files that the sandbox knows; read anew on every look, because files come and change. */
import { useEffect, useState } from 'preact/hooks';
import { act, ApiError, type Api } from '../../core/api.js';
import { readWhole } from '../../core/export.js';
import { model } from '../../core/current.js';
import type { KnownScenario } from '../../core/records.js';

/** Read anew when the sandbox comes back, too. @param again reads them anew when it changes. @returns null until they are there */
export function useKnown(again: unknown = null): readonly KnownScenario[] | null {
  const { api, stream } = model.value;
  const { state: connected } = stream.connection.value;
  const [known, setKnown] = useState<readonly KnownScenario[] | null>(null);
  useEffect(() => {
    let ended = false;
    void allKnown(api).then((all) => {
      if (all !== null && !ended) setKnown(all);
    });
    return () => {
      ended = true;
    };
  }, [api, again, connected]);
  return known;
}

/** Null when it cannot be asked: that nothing is known is not the same as that there is nothing. */
async function allKnown(api: Api): Promise<KnownScenario[] | null> {
  try {
    return await readWhole((page) => api.get('/_sandbox/scenarios', page));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return null;
  }
}

/** Makes a known scenario the active one. @returns whether it is */
export async function activateKnown(name: string): Promise<boolean> {
  const account = model.value;
  const done = await act(account.api.put('/_sandbox/scenario', { body: { name } }), `${name} is active.`);
  if (done) account.scenario.value = done;
  return done !== null;
}
