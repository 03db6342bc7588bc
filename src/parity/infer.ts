/** Infers a template from examples: JSON of the service beside the values that it is made of. */
import type { Json, Names } from '../dialect/template.js';
import { isConstant, isPropertyName, type Sent } from './privacy.js';
import { isInstant, isWord, nearness, unixForm } from './values.js';

export interface Example {
  /** Undefined where this example lacks it. */
  readonly theirs: unknown;
  /** Keys are the names that a placeholder can have. */
  readonly ours: Body;
}

export interface Inferred {
  readonly template: Json;
  /** The keys of what no placeholder stands for. */
  readonly unsaid: readonly string[];
  /** The parts for which a whole object stands: `error` → its examples. */
  readonly parts: readonly { readonly name: string; readonly examples: readonly Example[] }[];
}

type Body = Readonly<Record<string, unknown>>;

interface State {
  readonly sent: Sent;
  readonly bodies: readonly unknown[];
  readonly names: Names;
  readonly unsaid: string[];
  readonly parts: { name: string; examples: Example[] }[];
}

/** A value that is the same in `bodies` of different subjects is part of the form. */
export function infer(
  examples: readonly Example[],
  names: Names,
  sent: Sent,
  bodies: readonly unknown[] = examples.map(({ theirs }) => theirs),
): Inferred {
  const state: State = { names, sent, bodies, unsaid: [], parts: [] };
  const template = inferAt(examples, [], state) ?? {};
  return { template, unsaid: state.unsaid, parts: state.parts };
}

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a name in an example: `error.code` is a property of `error`. */
function valueOf({ ours }: Example, name: string): unknown {
  if (Object.hasOwn(ours, name)) return ours[name];
  return name.split('.').reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), ours);
}

function inferAt(examples: readonly Example[], path: readonly string[], state: State): Json | undefined {
  const present = examples.filter(({ theirs }) => theirs !== undefined);
  const key = path.findLast((each) => !/^\d+$/.test(each)) ?? '';
  const named = path.length === 0 ? undefined : bestName(examples, present, key, path.length, state.names);
  if (named !== undefined) {
    if (present.some((each) => isObject(each.theirs) && isObject(valueOf(each, named))))
      state.parts.push({
        name: named,
        examples: present
          .filter(({ theirs }) => theirs !== null)
          .map((each) => ({ theirs: each.theirs, ours: valueOf(each, named) as Example['ours'] })),
      });
    const time = unixForm(present[0]?.theirs);
    const form = state.names[named]?.isTime === true && time !== null ? `:${time}` : '';
    return `{${named}${present.length < examples.length ? '?' : ''}${form}}`;
  }
  const values = present.map(({ theirs }) => theirs);
  if (values.length > 0 && values.every(isObject)) {
    const keys = [...new Set(values.flatMap((value) => Object.keys(value)))];
    const entries = keys.flatMap((each): [string, Json][] => {
      if (!isPropertyName(each, state.sent)) {
        const place = [...path, '*'].join('.');
        if (!state.unsaid.includes(place)) state.unsaid.push(place);
        return [];
      }
      const inner = present.map(({ theirs, ours }) => ({
        theirs: (theirs as Body)[each],
        ours,
      }));
      const made = inferAt(inner, [...path, each], state);
      return made === undefined ? [] : [[each, made]];
    });
    const isLeftOut = path.length > 0 && keys.length > 0 && entries.length === 0;
    return isLeftOut ? undefined : Object.fromEntries(entries);
  }
  const [first] = values;
  if (Array.isArray(first) && values.every((value) => Array.isArray(value) && value.length === first.length))
    return first.flatMap((_, index) => {
      const inner = present.map(({ theirs, ours }) => ({ theirs: (theirs as unknown[])[index], ours }));
      return inferAt(inner, [...path, String(index)], state) ?? [];
    });
  const at = (body: unknown) => path.reduce<unknown>((part, each) => (part as Body | null | undefined)?.[each], body);
  const bodies = state.bodies.filter((body) => at(body) === first);
  const isSame = present.length === examples.length && values.every((value) => value === first);
  if (isSame && isConstant(first, key, bodies, state.sent)) return first as Json;
  state.unsaid.push(path.join('.'));
  return undefined;
}

function bestName(
  examples: readonly Example[],
  present: readonly Example[],
  key: string,
  depth: number,
  names: Names,
): string | undefined {
  const absent = examples.filter(({ theirs }) => theirs === undefined);
  const isMissing = (value: unknown) => value === null || value === undefined;
  const scored = Object.keys(names).flatMap((name) => {
    if (present.length === 0 || !absent.every((each) => isMissing(valueOf(each, name)))) return [];
    const score = scoreOf(present, key, name, names);
    // The time of an event stands beside its data, the time of its subject inside.
    const place = name.startsWith('event.') === (depth === 1) ? 0.1 : 0;
    return score === null ? [] : [{ name, score: score + place }];
  });
  return scored.toSorted((a, b) => b.score - a.score)[0]?.name;
}

/** Null if the name does not fit. */
function scoreOf(present: readonly Example[], key: string, name: string, names: Names): number | null {
  const near = nearness(key, name.replace('event.', ''));
  const pairs = present.map((each) => [each.theirs, valueOf(each, name)] as const);
  const some = pairs.filter(([theirs, ours]) => theirs !== null || (ours !== null && ours !== undefined));
  if (some.length === 0) return near > 0 ? near : null;
  if (some.some(([theirs, ours]) => theirs === null || ours === null || ours === undefined)) return null;
  const last = name.split('.').at(-1);
  if (names[name]?.isTime === true)
    return some.every(([theirs]) => isInstant(theirs) || unixForm(theirs) !== null) ? 5 + near : null;
  if (some.every(([theirs, ours]) => JSON.stringify(theirs) === JSON.stringify(ours))) {
    const varies = new Set(some.map(([theirs]) => JSON.stringify(theirs))).size > 1;
    const isSpecific = some.every(
      ([theirs]) =>
        (typeof theirs === 'string' && !isWord(theirs)) || typeof theirs === 'object' || Number(theirs) >= 1000,
    );
    const isCount = name === 'count' && !/page|limit|offset|version/i.test(key);
    return near > 0 || varies || isSpecific || isCount ? 10 + near : null;
  }
  const texts = some.every(([theirs, ours]) => typeof theirs === 'string' && typeof ours === 'string');
  switch (last) {
    case 'message':
      // The document names this key.
      return texts && (key === 'message' || (near > 0 && some.every(([theirs]) => !isWord(theirs)))) ? 3 + near : null;
    case 'pause_reason':
    case 'rejection_reason':
      return texts && near > 0 ? 3 + near : null;
    case 'code':
      return texts && some.every(([theirs]) => isWord(theirs)) && isRenaming(some, near > 0) ? 3 + near : null;
    case 'id':
      return name !== 'interactive.id' &&
        texts &&
        near > 0 &&
        new Set(some.map(([theirs]) => theirs)).size === some.length &&
        !some.every(([theirs]) => isWord(theirs))
        ? 2 + near
        : null;
    case 'details':
      return some.every(([theirs, ours]) => Array.isArray(theirs) && Array.isArray(ours)) ? 3 + near : null;
    case 'error':
      return some.every(([theirs, ours]) => isObject(theirs) && isObject(ours)) ? 3 + near : null;
    default:
      return null;
  }
}

/**
 * Each of our codes has one of theirs, and not all of these are equal. Under a key that does not tell what it is, each has
 * its own.
 */
function isRenaming(pairs: readonly (readonly [unknown, unknown])[], isNamed: boolean): boolean {
  const theirs = new Map<unknown, unknown>();
  for (const [their, our] of pairs) {
    if (theirs.has(our) && theirs.get(our) !== their) return false;
    theirs.set(our, their);
  }
  const different = new Set(theirs.values()).size;
  return isNamed ? theirs.size < 2 || different > 1 : theirs.size > 1 && different === theirs.size;
}
