/** Repeated calls: those that cannot succeed, and the one by which an application recovers. */
import { isDeepStrictEqual } from 'node:util';
import { hookOf } from '../scenario/schema/hooks.js';
import type { Raw } from './oracle.js';
import { plain } from './state.js';
import { unavailable } from './faults.js';
import type { Facts, JournalRequest, Run } from './types.js';

/** A rejected call may be repeated this often within a minute. */
const mostRepeats = 3;

/** Looks at each account by itself, since each has its own clock. */
export function uselessCalls(expected: Pick<Run, 'accounts'>, found: Pick<Run, 'accounts'>): Raw[] {
  const before = new Map(expected.accounts.flatMap((facts) => [...repeats(facts)]));
  return found.accounts
    .flatMap((facts) => [...repeats(facts)])
    .flatMap(([key, { count, operation, where, limited, words }]): Raw[] => {
      if (count <= mostRepeats + (before.get(key)?.count ?? 0)) return [];
      const sentence = `${operation} was made ${count} more times within a minute after ${words}.`;
      const bound = limited ? { spacing: { min: 'retry_after' } } : { max: mostRepeats + 1 };
      return [{ kind: 'useless calls', subject: key, sentence, expect: { that: 'requests', where, ...bound } }];
    });
}

interface Repeated {
  count: number;
  lastMs: number;
  readonly operation: string;
  /** Whether a time is given after which the call may succeed. */
  readonly limited: boolean;
  readonly words: string;
  readonly where: Readonly<Record<string, unknown>>;
}

/**
 * Counts, by call and response, the repetitions within a minute of the previous call, or before its Retry-After is
 * over.
 */
function repeats({ requests, account }: Facts): Map<string, Repeated> {
  const found = new Map<string, Repeated>();
  for (const { status, path, method, request, response, at, operation, error } of requests) {
    if (status === null || status < 400 || status >= 500 || status === 408) continue;
    const atMs = Date.parse(at);
    const key = `${account} ${method} ${plain(path)} ${plain(JSON.stringify(request.body ?? null))} ${status}`;
    const known = found.get(key);
    const [, retryAfter] = Object.entries(response?.headers ?? {}).find(([name]) => /^retry-after$/i.test(name)) ?? [];
    // A locked code is answered 429, too, but no time unlocks it.
    const limited = status === 429 && error !== 'otp_max_attempts';
    const waitMs = limited ? 1000 * (Number(retryAfter) || 0) : 60_000;
    if (known === undefined) {
      const words = limited ? 'a 429, before its Retry-After was over' : `the response ${status}`;
      const { to } = (request.body ?? {}) as { to?: unknown };
      const name = hookOf(operation) ?? `${method} ${path}`;
      const where = {
        operation: name,
        ...(typeof to === 'string' && { to }),
        ...(!limited && { status, ...(error !== undefined && { error }) }),
      };
      found.set(key, { count: 0, lastMs: atMs, operation: name, limited, words, where });
    } else {
      // The limit is a little lower, because the timers of an application are not exact.
      const isEarly = atMs - known.lastMs < 0.9 * waitMs;
      // While the account's clock stands still, the application may have waited in real time.
      const mayHaveWaited = limited && atMs === known.lastMs;
      if (isEarly && !mayHaveWaited) known.count += 1;
      known.lastMs = atMs;
    }
  }
  return found;
}

/** Returns the account time after which the application repeated a call that failed with 503; null if it did not. */
export function returnOf({ requests }: Facts): number | null {
  const failed = requests.find(({ status, error }) => status === 503 && error === unavailable);
  const isSame = ({ seq, method, path, request }: JournalRequest) =>
    failed !== undefined &&
    seq > failed.seq &&
    isDeepStrictEqual([method, path, request.body], [failed.method, failed.path, failed.request.body]);
  const again = requests.find(isSame);
  return failed && again ? Date.parse(again.at) - Date.parse(failed.at) : null;
}
