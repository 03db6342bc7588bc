/** A test that expects an error of the service, and is content with any other one. */
import { hookOf } from '../../language/hooks.js';
import { toOf, type Facts } from '../facts/facts.js';
import type { Found, Raw } from '../facts/raw.js';
import type { Reference } from '../facts/end-state.js';
import { logsSo } from './say-so.js';
import type { Placed } from '../facts/types.js';

/** Finds that a call never got the error that it gets without the fault, and nothing shows that. */
export function tookOtherError(reference: Reference, found: Found, placed: Placed | null): Raw[] {
  const { run, said } = reference;
  const { kind, to, isRejected } = placed?.point ?? {};
  if (isRejected !== true || kind === undefined || said !== null || found.flows === true) return [];
  if (found.failure !== null || found.timedOut || logsSo(reference, found)) return [];
  const errorsIn = ({ requests }: Facts) =>
    requests.flatMap(({ operation, request: { body }, error }) =>
      hookOf(operation) === kind && toOf(body) === to && error !== undefined ? [error] : [],
    );
  const now = errorsIn(found.facts);
  const missing = errorsIn(run.facts).find((error, i, all) => times(now, error) < times(all.slice(0, i + 1), error));
  if (missing === undefined) return [];
  const sentence = `Without the fault, ${kind} to ${String(to)} gets the error ${missing}. With the fault it did not, and the test passed all the same.`;
  return [{ kind: 'failure hidden', sentence, expect: null, doubt: null }];
}

const times = (all: readonly string[], one: string): number => all.filter((other) => other === one).length;
