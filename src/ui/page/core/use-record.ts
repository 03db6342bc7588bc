/** One record that the address names, whether or not the list at hand reaches back to it. */
import { useEffect, useState } from 'preact/hooks';
import { isAway } from './api.js';
import type { Collection } from './collection.js';
import { model } from './current.js';
import type { Sequenced } from './records.js';

/**
 * Sees to it that the list is read: where there is room for one of the two, nobody else does.
 *
 * @param read asks the sandbox for it alone; its refusal means that there is none. Of one that is away it is asked again.
 * @returns undefined while it is being looked for, null when there is none
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
