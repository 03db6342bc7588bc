/** The scenario files that the sandbox knows; read anew on every look, because files come and change. */
import { useEffect, useState } from 'preact/hooks';
import { act } from '../../core/api.js';
import { model } from '../../core/current.js';
import { ApiError, type Api } from '../../core/api.js';
import type { KnownScenario } from '../../core/records.js';

/** @param again reads them anew when it changes. @returns null until they are there */
export function useKnown(again: unknown = null): readonly KnownScenario[] | null {
  const { api } = model.value;
  const [known, setKnown] = useState<readonly KnownScenario[] | null>(null);
  useEffect(() => {
    let ended = false;
    void allKnown(api).then((all) => {
      if (!ended) setKnown(all);
    });
    return () => {
      ended = true;
    };
  }, [api, again]);
  return known;
}

/** What is there when the sandbox goes away meanwhile is enough: the connection says so. */
async function allKnown(api: Api): Promise<KnownScenario[]> {
  const all: KnownScenario[] = [];
  try {
    for (let after: number | null = 0; after !== null;) {
      const { items, next }: { items: KnownScenario[]; next: number | null } = await api.get('/_sandbox/scenarios', {
        query: { after, limit: 500 },
      });
      all.push(...items);
      after = next;
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
  return all;
}

/** Makes a known scenario the active one. @returns whether it is */
export async function activateKnown(name: string): Promise<boolean> {
  const account = model.value;
  const done = await act(account.api.put('/_sandbox/scenario', { body: { name } }), `${name} is active.`);
  if (done) account.scenario.value = done;
  return done !== null;
}
