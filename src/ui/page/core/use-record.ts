/** One record that the address names, whether or not the list at hand reaches back to it. */
import { useEffect, useState } from 'preact/hooks';
import type { Collection } from './collection.js';
import type { Sequenced } from './records.js';

/**
 * @param read asks the sandbox for it alone; its refusal means that there is none
 * @returns undefined while it is being looked for, null when there is none
 */
export function useRecord<T extends Sequenced>(
  list: Collection<T>,
  id: string | undefined,
  read: (id: string) => Promise<T>,
): T | null | undefined {
  const known = id === undefined ? undefined : list.get(id);
  const ready = list.state.value === 'ready';
  const [found, setFound] = useState<{ readonly id: string; readonly row: T | null } | null>(null);
  useEffect(() => {
    if (id === undefined || known || !ready) return undefined;
    let wanted = true;
    const take = (row: T | null) => {
      if (wanted) setFound({ id, row });
    };
    void read(id).then(take, () => take(null));
    return () => {
      wanted = false;
    };
  }, [id, known === undefined, ready]);
  if (id === undefined) return null;
  return known ?? (found?.id === id ? found.row : undefined);
}
