/** Compares what the application returns with what a check, or a step that waits, expects. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../domain/json.js';
import { placeOfCheck, type Judgement } from '../rules/expectations.js';
import { stateSubject } from '../language/checks.js';
import type { StateExpectation } from '../language/expect.js';
import { Unread } from './application-user.js';
import { unknownAddress } from './run-step.js';

/** `found` has the values by path; null without an application. */
export function judgeState(
  { at, state, max, because }: StateExpectation,
  found: Readonly<Record<string, unknown>> | null,
  activatedAtMs: number,
): Judgement {
  const paths = Object.keys(state);
  const fits = (path: string) => {
    const [value, wanted] = [found?.[path], isNothing(state[path]) ? null : state[path]];
    const others = othersThan(wanted);
    if (others !== null)
      return (
        value !== undefined &&
        value !== null &&
        !(value instanceof Unread) &&
        !others.some((one) => isDeepStrictEqual(value, one))
      );
    return value instanceof Unread ? value.isThere && wanted === null : isDeepStrictEqual(value, wanted);
  };
  const wrong = found === null ? paths : paths.filter((path) => !fits(path));
  const isSame = wrong.length === 0;
  // A value that could not be read is not shown to be absent.
  const unread = paths.filter(
    (path) => found?.[path] instanceof Unread && state[path] !== null && !isNothing(state[path]),
  );
  const passed = max === undefined ? isSame : !isSame && unread.length === 0;
  return {
    passed: found !== null && passed,
    at: placeOfCheck({ at }, activatedAtMs),
    that: stateSubject,
    ...(because !== undefined && { because }),
    expected: max === undefined ? inWords(state, paths) : `not ${inWords(state, paths)}`,
    found:
      found === null
        ? `not read: ${paths.every(isOutput) ? unreadOutput : unknownAddress}`
        : isSame
          ? max === 0
            ? 'exactly that'
            : 'all as expected'
          : inWords(found, wrong),
  };
}

/** True for a field that must be missing, in the form of the conditions of rules. */
const isNothing = (wanted: unknown): boolean => isDeepStrictEqual(wanted, { not: '*' });

/** Returns the values that a field must not have, in the form of the conditions of rules; null if it must have the given one. */
function othersThan(wanted: unknown): readonly unknown[] | null {
  if (wanted === '*') return [];
  return isObject(wanted) && isDeepStrictEqual(Object.keys(wanted), ['not']) ? [wanted['not']].flat() : null;
}

/** A value of the JSON object that the command of a story prints. */
const isOutput = (path: string): boolean => path.startsWith('stdout');
const unreadOutput = 'stdout needs the command of a story: messaging-sandbox scenario run FILE -- CMD';

function inWords(values: Readonly<Record<string, unknown>>, paths: readonly string[]): string {
  const each = paths.map((path) => {
    const value = values[path] ?? null;
    return `${path}: ${value instanceof Unread ? value.reason : JSON.stringify(value)}`;
  });
  return each.join(', ');
}
