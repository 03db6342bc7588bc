/** One record that the address names, whether or not the list at hand reaches back to it. */
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from './api.js';
import type { Collection } from './collection.js';
import { model } from './current.js';
import type { Sequenced } from './records.js';

/**
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
  const { state: connected } = model.value.stream.connection.value;
  const [found, setFound] = useState<{ readonly id: string; readonly row: T | null } | null>(null);
  useEffect(() => {
    if (id === undefined || known || !ready) return undefined;
    let wanted = true;
    const take = (row: T | null) => {
      if (wanted) setFound({ id, row });
    };
    void read(id).then(take, (error: unknown) => {
      if (!(error instanceof ApiError && error.status === 0)) take(null);
    });
    return () => {
      wanted = false;
    };
  }, [id, known === undefined, ready, connected]);
  if (id === undefined) return null;
  return known ?? (found?.id === id ? found.row : undefined);
}
