/** Hooks that read from the sandbox. */
import { useEffect, useState } from 'preact/hooks';
import { isAway } from './api.js';
import { later } from './browser.js';
import type { Collection } from './collection.js';
import { model } from './current.js';
import type { Sequenced } from './records.js';

/**
 * Reads again when one of `when` changes; the result of an earlier read is then ignored.
 * @param read null to read nothing
 * @param pauseMs milliseconds of real time without a change before it reads
 */
export function useResult<T>(
  read: (() => Promise<T>) | null,
  take: (result: T) => void,
  when: readonly unknown[],
  pauseMs = 0,
): void {
  useEffect(() => {
    let wanted = true;
    const begin = () => {
      void read?.().then((result) => {
        if (wanted) take(result);
      });
    };
    let cancel: (() => void) | null = null;
    if (pauseMs > 0) cancel = later(pauseMs, begin);
    else begin();
    return () => {
      wanted = false;
      cancel?.();
    };
  }, when);
}

/** @returns the latest result that is not null; null before the first */
export function useRead<T>(read: (() => Promise<T | null>) | null, when: readonly unknown[]): T | null {
  const [found, setFound] = useState<T | null>(null);
  useResult(read, (result) => setFound((known) => result ?? known), when);
  return found;
}

/** Reads older pages of a list as long as `wanted`. */
export function useOlder<T extends Sequenced>(list: Collection<T>, wanted: boolean): void {
  const ready = list.state.value === 'ready';
  useEffect(() => {
    if (ready && wanted) void list.older();
  }, [list, ready, wanted, list.version.value]);
}

/**
 * Returns the record in the address, even if the loaded part of its list does not include it: on a small screen, the
 * list is not open. If the sandbox is unreachable, the call is repeated.
 * @returns undefined while it is loading, null if it does not exist
 */
export function useRecord<T extends Sequenced>(list: Collection<T>, id: string | undefined): T | null | undefined {
  const known = id === undefined ? undefined : list.get(id);
  const ready = list.state.value === 'ready';
  const { stream, lives } = model.value;
  const life = lives.value;
  const [found, setFound] = useState<{ id: string; life: number; row: T | null } | null>(null);
  useEffect(() => list.ensure(), [list]);
  useResult(
    id === undefined || known || !ready
      ? null
      : () => list.read(id).catch((error: unknown) => (isAway(error) ? undefined : null)),
    (row) => {
      if (row !== undefined) setFound({ id: id ?? '', life, row });
    },
    [id, known === undefined, ready, stream.connection.value.state, life],
  );
  if (id === undefined) return null;
  return known ?? (found?.id === id && found.life === life ? found.row : undefined);
}
