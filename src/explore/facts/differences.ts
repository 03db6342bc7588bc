/** Differences between a state without a fault and one with it. */
import { customersIn } from './leaves.js';
import { renumberedIn } from './serial.js';
import { isRecord, progress, unstable, type Json } from './state.js';

/** The name of a number that counts attempts. */
const ATTEMPTS = /attempts?$|tries$|retry_?count$/i;
/** The name of a flag by which an application remarks that it repeated a call. */
const REMARKS = /possibl|duplicat|repeat|retr(?:y|ied)|uncertain|unclear/i;
/** Such as `id`, `order_id` and `orderId`. */
const ID_NAME = /(?:^|_)id$|Id$/;

export interface Difference {
  /** The names that lead there; entries of a list are numbered as expected. */
  readonly path: readonly string[];
  readonly expected: Json | undefined;
  readonly found: Json | undefined;
}

/** Returns the common parts of two values, and marks the rest as unstable. */
export function agreed(a: Json, b: Json): Json {
  if (isRecord(a) && isRecord(b)) {
    const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    return Object.fromEntries(
      names.map((name) => [name, name in a && name in b ? agreed(a[name] ?? null, b[name] ?? null) : unstable]),
    );
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    const pairs = pairsOf(a, b);
    if (pairs.every(({ expected, found }) => expected !== undefined && found !== undefined)) {
      return pairs.map(({ expected, found }) => agreed(expected ?? null, found ?? null));
    }
  }
  return JSON.stringify(a) === JSON.stringify(b) ? a : unstable;
}

/**
 * Returns the paths at which `found` differs from `expected`. Lists are compared as sets. A value that is added where there was
 * nothing, such as a note of an error, is a remark and does not differ; nor does a flag that says that a call was repeated, a higher
 * number of attempts, or another number of a record.
 */
export function differences(expected: Json, found: Json | undefined): Difference[] {
  const all = changesIn(expected, found, []);
  if (!all.some((one) => typeof one.found === 'number')) return all;
  const isRenumbered = renumberedIn(expected, found);
  return all.filter(
    ({ path, expected: before, found: now }) =>
      !(typeof before === 'number' && typeof now === 'number' && isRenumbered(path, before, now)),
  );
}

function changesIn(expected: Json, found: Json | undefined, path: readonly string[]): Difference[] {
  if (expected === unstable || hasGotFurther(expected, found) || isEmpty(expected)) return [];
  const name = path.at(-1) ?? '';
  if (ATTEMPTS.test(name) && Number(found) > Number(expected)) return [];
  if (expected === false && found === true && REMARKS.test(name)) return [];
  if (isNumbered(name, expected) && isNumbered(name, found)) return [];
  const at = (part: string | number) => [...path, String(part)];
  if (isRecord(expected) && isRecord(found)) {
    const isMap = Object.values(expected).some((value) => typeof value === 'object' && value !== null);
    const added = Object.keys(found).filter((key) => !(key in expected));
    return [
      ...Object.keys(expected).flatMap((key) => changesIn(expected[key] ?? null, found[key], at(key))),
      // A further record counts, a further note does not.
      ...added.flatMap((key) => {
        const value = found[key];
        return isMap && typeof value === 'object' && !isEmpty(value ?? null)
          ? [{ path: at(key), expected: undefined, found: value }]
          : [];
      }),
    ];
  }
  if (Array.isArray(expected) && Array.isArray(found)) {
    if (expected.length === 0) return [];
    return pairsOf(expected, found).flatMap(({ expected: wanted, found: got, i }) => {
      if (wanted === undefined) return isSentence(got) ? [] : [{ path: at(i), expected: undefined, found: got }];
      return got === undefined ? [{ path: at(i), expected: wanted, found: undefined }] : changesIn(wanted, got, at(i));
    });
  }
  return JSON.stringify(expected) === JSON.stringify(found) ? [] : [{ path, expected, found }];
}

const isEmpty = (value: Json): boolean =>
  value === null || value === 0 || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/** A line of a log in a list. */
const isSentence = (value: Json | undefined): boolean => typeof value === 'string' && value.includes(' ');

interface Pair {
  readonly expected: Json | undefined;
  readonly found: Json | undefined;
  readonly i: number;
}

/** Matches the entries of two lists in any order: equal ones first, then those that share the most, such as a key. */
function pairsOf(expected: readonly Json[], found: readonly Json[]): Pair[] {
  const left = found.map((value) => ({ value, text: unnumbered(value) }));
  const take = (rate: (value: Json, text: string) => number): Json | undefined => {
    const rated = left.map(({ value, text }, at) => ({ at, rating: rate(value, text) }));
    const best = rated.reduce((a, b) => (b.rating > a.rating ? b : a), { at: -1, rating: 0 });
    return best.at < 0 ? undefined : left.splice(best.at, 1)[0]?.value;
  };
  const equal = expected.map((wanted) => take((_value, text) => (text === unnumbered(wanted) ? 1 : 0)));
  const pairs = expected.map((wanted, i) => ({
    expected: wanted,
    found: equal[i] ?? take((value) => likeness(wanted, value)),
    i,
  }));
  return [...pairs, ...left.map(({ value }, i) => ({ expected: undefined, found: value, i: expected.length + i }))];
}

/** Returns a state with the entries of its lists under the numbers that they have in the expected one. */
export function aligned(expected: Json | undefined, found: Json): Json {
  if (Array.isArray(expected) && Array.isArray(found))
    return Object.fromEntries(
      pairsOf(expected, found).flatMap(({ expected: wanted, found: got, i }) =>
        got === undefined ? [] : [[i, aligned(wanted, got)]],
      ),
    );
  if (!isRecord(expected) || !isRecord(found)) return found;
  return Object.fromEntries(Object.entries(found).map(([name, part]) => [name, aligned(expected[name], part)]));
}

export const isPhone = (value: Json | undefined): boolean => typeof value === 'string' && /^\+\d{7,15}$/.test(value);

/** The first fields of a record name it more often than the later ones. Its customer outweighs them all. */
function likeness(a: Json, b: Json): number {
  if (isRecord(a) && isRecord(b)) {
    const names = Object.keys(a);
    // Records of two customers are two records.
    const phones = names.filter((name) => isPhone(a[name]) && isPhone(b[name]));
    if (phones.length > 0 && phones.every((name) => a[name] !== b[name])) return 0;
    const weightOf = (name: string, i: number) => (isPhone(a[name]) ? names.length * 2 : 1 + 1 / (i + 2));
    return names.reduce((sum, name, i) => sum + (isLike(name, a[name], b[name]) ? weightOf(name, i) : 0.01), 0);
  }
  return typeof a === typeof b && !isRecord(a) && typeof a !== 'string' ? 0.5 : 0;
}

/** Equal numbers of two records say nothing. */
const isLike = (name: string, a: Json | undefined, b: Json | undefined): boolean =>
  !isNumbered(name, a) && JSON.stringify(a) === JSON.stringify(b);

/** A number as an id depends on the order in which records were made. */
const isNumbered = (name: string, value: Json | undefined): boolean => typeof value === 'number' && ID_NAME.test(name);

/** Such an id, or that a record has none yet, depends on the order. */
const unnumbered = (value: Json): string =>
  JSON.stringify(value, (name, part: Json) =>
    isNumbered(name, part) || (part === null && ID_NAME.test(name)) ? undefined : part,
  );

function hasGotFurther(expected: Json, found: Json | undefined): boolean {
  if (typeof expected !== 'string' || typeof found !== 'string') return false;
  const from = progress.indexOf(expected.toLowerCase());
  return from >= 0 && progress.indexOf(found.toLowerCase()) >= from;
}

/** Returns a function that says which of these customers a difference from a state is about: something that is added names its own. */
export function customersOfChanges(
  state: Json,
  customers: readonly string[],
): (change: Difference) => readonly string[] {
  const at = customersIn(state, customers);
  return ({ path, expected, found }) => {
    const own = expected === undefined ? customersIn(found ?? null, customers)([]) : [];
    return own.length > 0 ? own : at(path);
  };
}
