/** A call that never gets a response: an application without a time limit waits for it as long as its client does. */
import { hookOf } from '../../language/hooks.js';
import { toOf } from '../facts/facts.js';
import type { Found, Raw } from '../facts/raw.js';
import type { Deviation, Placed } from '../facts/types.js';

/** Machine milliseconds after which an application has given up such a call. */
export const longestOpenMs = 35_000;

export const hangs = ({ fault: { rule } }: Placed): boolean => rule?.then.respond?.fault_real === 'hang';

const stillOpen = `The application still waited for the response after ${longestOpenMs / 1000} s: the call needs a time limit.`;

/** True if a call was still open: a fact, which needs no second try. */
export const isOpenCall = ({ sentence }: Deviation): boolean => sentence === stillOpen;

/** Finds that the application still waits at the end. */
export function openCall(found: Found, placed: Placed | null): Raw[] {
  if (placed === null || !hangs(placed) || !isOpen(found, placed)) return [];
  return [{ kind: 'never settles', sentence: stillOpen, expect: null, doubt: null }];
}

/** True for a server with an open call, and for a command that does not end and has not made the call again. */
function isOpen({ flows, waits, timedOut, facts }: Found, { point: { kind, nth, to } }: Placed): boolean {
  if (!timedOut) return false;
  if (flows === true) return waits === true;
  const calls = facts.requests.filter(({ operation, request }) => hookOf(operation) === kind && isTo(to, request.body));
  return calls.length <= nth;
}

const isTo = (customer: string | null, body: unknown): boolean =>
  customer === null || [toOf(body) ?? customer].flat().includes(customer);
