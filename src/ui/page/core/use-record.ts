/** The record in the address, even if the loaded part of its list does not include it. */
import { useEffect, useState } from 'preact/hooks';
import { isAway } from './api.js';
import type { Collection } from './collection.js';
import { model } from './current.js';
import type { Sequenced } from './records.js';

/**
 * Loads a record if necessary: on a small screen, the list is not open and does not load it.
 * @param read reads only this record; an error response means that it does not exist. If the sandbox is unreachable,
 * the call is repeated.
 * @returns undefined while it is loading, null if it does not exist
 */
export function useRecord<T extends Sequenced>(
  list: Collection<T>,
  id: string | undefined,
  read: (id: string) => Promise<T>,
): T | null | undefined {
  const known = id === undefined ? undefined : list.get(id);
  const ready = list.state.value === 'ready';
  const { stream, lives } = model.value;
  const { state: connected } = stream.connection.value;
  const life = lives.value;
  const [found, setFound] = useState<{ readonly id: string; readonly life: number; readonly row: T | null } | null>(
    null,
  );
  useEffect(() => list.ensure(), [list]);
  useEffect(() => {
    if (id === undefined || known || !ready) return undefined;
    let wanted = true;
    const take = (row: T | null) => {
      if (wanted) setFound({ id, life, row });
    };
    void read(id).then(take, (error: unknown) => {
      if (!isAway(error)) take(null);
    });
    return () => {
      wanted = false;
    };
  }, [id, known === undefined, ready, connected, life]);
  if (id === undefined) return null;
  return known ?? (found?.id === id && found.life === life ? found.row : undefined);
}
