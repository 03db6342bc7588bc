import { signal } from '@preact/signals';
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
  readonly retry?: () => void;
}

/**
 * @param key names what is read: another key reads anew; null reads nothing
 * @param nouns changes of these kinds read again, at most once a second
 * @param lacks whether what was read lacks something that is to be shown, so that it is read again, too
 */
export function useRead<T>(
  key: string | null,
  read: () => Promise<T>,
  nouns: readonly Noun[] = [],
  lacks = false,
): Read<T> {
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
      // If the sandbox is unreachable, a strip at the top of the web UI shows it.
      if (error.status !== 0) setFound((known) => ({ ...(known?.of === of && known), of, error }));
    }
  };
  const { ask } = useRepeater(work, key, nouns, pauseMs);
  useLayoutEffect(() => {
    if (lacks) ask();
  });
  return found?.of === of ? { ...found, retry: () => ask(true) } : {};
}

export interface List<T> {
  readonly rows: readonly T[] | undefined;
  readonly error?: ApiError | undefined;
  readonly retry?: (() => void) | undefined;
  readonly onNearEnd?: () => void;
  /** Gets the index of the first row on screen. */
  readonly onLook?: (first: number) => void;
}

/**
 * @param key names the filters; the previous rows stay until the next rows have come
 * @param read asks for one page
 */
export function useList<T extends Sequenced>(
  key: string,
  read: (query: PageQuery) => Promise<PageOf<T>>,
  nouns: readonly Noun[],
): List<T> {
  const account = model.value;
  const list = useMemo(() => {
    const failure = signal<ApiError | undefined>(undefined);
    const readSafely = async (query: PageQuery) => {
      try {
        const page = await read(query);
        failure.value = undefined;
        return page;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // If the sandbox is unreachable, a strip at the top of the web UI shows it.
        if (error.status !== 0) failure.value = error;
        return null;
      }
    };
    return Object.assign(new LiveList(readSafely), { failure });
  }, [account, key]);
  const repeater = useRepeater(() => list.refresh(), list, nouns, listPauseMs);
  const before = useRef({ account, list });
  const isKnown = list.rows.value !== null || list.failure.value !== undefined;
  if (isKnown || before.current.account !== account) before.current = { account, list };
  const shown = before.current.list;
  return {
    rows: shown.rows.value ?? undefined,
    error: shown.failure.value,
    retry: () => repeater.ask(true),
    onNearEnd: () => void shown.older(),
    onLook: (first) => {
      if (shown.look(first)) repeater.ask(true);
    },
  };
}
