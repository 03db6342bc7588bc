/** Hooks that read from the sandbox, and read again when something of that kind has changed. */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError } from './api.js';
import { LiveList, type PageOf, type PageQuery } from './live-list.js';
import { model } from './model.js';
import type { Noun, Sequenced } from './records.js';
import { repeating } from './repeater.js';

/** Milliseconds between two reads of a list, and of anything else, such as the number of records. */
const listPauseMs = 250;
const pauseMs = 1000;

/** Reads at first, and after every change of these kinds of records. */
function useRepeater(work: () => Promise<unknown>, key: unknown, nouns: readonly Noun[], pause: number) {
  const account = model.value;
  const repeater = useMemo(() => repeating(work, pause), [account, key]);
  // Not after the next frame: in a flood, that is late.
  useLayoutEffect(() => {
    const end = account.onChange(nouns, repeater.ask);
    repeater.ask();
    return () => {
      end();
      repeater.stop();
    };
  }, [repeater]);
  return repeater;
}

export interface Read<T> {
  /** Undefined before the first response. It stays while the sandbox is unreachable. */
  readonly value?: T;
  readonly error?: ApiError;
}

/**
 * @param key names what is read: another key reads anew; null reads nothing
 * @param nouns changes of these kinds read again, at most once a second
 */
export function useRead<T>(key: string | null, read: () => Promise<T>, nouns: readonly Noun[] = []): Read<T> {
  const [found, setFound] = useState<Read<T> & { readonly of: string }>();
  const of = `${model.value.key} ${key ?? ''}`;
  const latest = useRef(read);
  latest.current = read;
  const work = async () => {
    if (key === null) return;
    try {
      setFound({ of, value: await latest.current() });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status !== 0) setFound({ of, error });
    }
  };
  useRepeater(work, key, nouns, pauseMs);
  return found?.of === of ? found : {};
}

export interface List<T> {
  /** Undefined before the first response. */
  readonly rows: readonly T[] | undefined;
  readonly onNearEnd?: () => void;
  /** To be called with the index of the first row on screen. */
  readonly onLook?: (first: number) => void;
}

/**
 * @param key names the filters; the rows of the previous ones stay until those of the next have come
 * @param read asks for one page
 */
export function useList<T extends Sequenced>(
  key: string,
  read: (query: PageQuery) => Promise<PageOf<T>>,
  nouns: readonly Noun[],
): List<T> {
  const account = model.value;
  const readSafely = (query: PageQuery) =>
    read(query).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      // A search that the sandbox rejects, such as one that is too long, finds nothing.
      return error.status === 0 ? null : { items: [], next: null };
    });
  const list = useMemo(() => new LiveList(readSafely), [account, key]);
  const repeater = useRepeater(() => list.refresh(), list, nouns, listPauseMs);
  const before = useRef({ account, list });
  if (list.rows.value !== null || before.current.account !== account) before.current = { account, list };
  const shown = before.current.list;
  return {
    rows: shown.rows.value ?? undefined,
    onNearEnd: () => void shown.older(),
    onLook: (first) => {
      if (shown.look(first)) repeater.ask();
    },
  };
}
