/** Reads a report again while the account changes. The sandbox computes reports, and the stream does not send them. */
import { signal, type ReadonlySignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { isAway } from './api.js';
import { later } from './browser.js';
import { model } from './current.js';

/** Milliseconds of real time between two reads while the account changes. */
const pauseMs = 500;

/**
 * @param read its result is shown, and stays while the sandbox is unreachable; any other failure shows `failed`
 * @returns null until the first result
 */
export function useFollowed<T>(read: () => Promise<T>, failed: T): ReadonlySignal<T | null> {
  const [shown] = useState(() => signal<T | null>(null));
  const account = model.value;
  const { state: connected } = account.stream.connection.value;
  useEffect(() => {
    let ended = false;
    let waiting: (() => void) | null = null;
    const look = async () => {
      const answer = await read().catch((error: unknown) => (isAway(error) ? (shown.value ?? failed) : failed));
      if (!ended) shown.value = answer;
    };
    const soon = () => {
      waiting ??= later(pauseMs, () => {
        waiting = null;
        void look();
      });
    };
    void look();
    const unheard = account.onFrame(soon);
    return () => {
      ended = true;
      waiting?.();
      unheard();
    };
  }, [account, connected]);
  return shown;
}
