/**
 * Reads the receiver's own counter (`--observe URL`): a GET that returns `{"received": n}`, the number of different
 * events that the application has accepted so far. From outside, a recognised duplicate looks like any other event.
 */
export type Observer = () => Promise<number>;

/** The counter could not be read; the message says what is expected of it. */
export class ObserveError extends Error {
  override readonly name = 'ObserveError';
}

/** @param timeoutMs longest wait for a response, in milliseconds of system time. */
export function createObserver(url: string, timeoutMs: number): Observer {
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    throw new ObserveError(`"${url}" is not an http:// or https:// URL. ${EXPECTED}`);
  }
  return async () => {
    let status: number;
    let text: string;
    try {
      const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
      status = answer.status;
      text = await answer.text();
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const reason = cause instanceof Error && cause.message !== '' ? cause.message : 'no connection';
      throw new ObserveError(`${url} could not be read: ${reason}. ${EXPECTED}`, { cause: error });
    }
    const count = status === 200 ? receivedIn(text) : undefined;
    if (count !== undefined) return count;
    throw new ObserveError(`${url} answered ${status} ${JSON.stringify(text.slice(0, 80))}. ${EXPECTED}`);
  };
}

const EXPECTED = 'It must answer GET with 200 and {"received": 3}, the number of different events accepted so far.';

function receivedIn(text: string): number | undefined {
  try {
    const { received } = (JSON.parse(text) ?? {}) as { received?: unknown };
    return typeof received === 'number' && Number.isSafeInteger(received) && received >= 0 ? received : undefined;
  } catch {
    return undefined;
  }
}
