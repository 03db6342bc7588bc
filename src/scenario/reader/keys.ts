/** What the keys of a mapping say: which schema is meant, and which word stands behind a slip. */
import { isMap, isScalar, isSeq, type ParsedNode, type YAMLMap } from 'yaml';
import { aboutNamed, exampleOf, type About, type NodeKind, type Schema } from '../schema/kit.js';
import { keyText } from './json-text.js';
import type { Report } from '../schema/problems.js';
import type { Place, Reading } from './place.js';

/** Returns what is known of the schema that is meant for a value. */
export function aboutOf(schema: Schema<unknown>, node: ParsedNode): About {
  const kind: NodeKind = isMap(node)
    ? 'map'
    : isSeq(node)
      ? 'list'
      : isScalar(node) && node.value !== null
        ? 'scalar'
        : 'nothing';
  const keys = isMap(node) ? node.items.flatMap((pair) => keyText(pair.key) ?? []) : [];
  for (let told = aboutNamed(schema); ;) {
    const chosen = told.choose?.(kind, keys);
    if (chosen === undefined) return told;
    told = aboutNamed(chosen);
  }
}

/** Returns the known word that a key begins with, if only a colon is missing: `then { lifecycle`, `when message.send`. */
export function colonSlip(key: string, words: readonly string[]) {
  const [, word = '', rest = ''] = /^(\w+)(?::|\s+)(.*)$/.exec(key) ?? [];
  return words.includes(word) ? { word, rest } : undefined;
}

/** Reports if none or too many of certain keys are present. */
export function checkPresence(
  place: Place,
  { object = {}, properties = {} }: About,
  has: (key: string) => boolean,
): void {
  const { exactlyOne, atLeastOne = [] } = object;
  const present = exactlyOne?.filter(has) ?? [];
  if (exactlyOne !== undefined && present.length !== 1) {
    const [code, allowed] = ['not_exactly_one', `exactly one of ${exactlyOne.join(', ')}`];
    if (present.length > 1) {
      place.report({ code, message: `Only one of ${present.join(', ')} is allowed.`, allowed });
    } else {
      const message = `Exactly one of ${exactlyOne.join(', ')} is required.`;
      const example = exampleOf(properties, exactlyOne[0] ?? '');
      place.report(object.none?.(has) ?? { code, message, allowed, example });
    }
  }
  if (atLeastOne.length > 0 && !atLeastOne.some(has)) {
    const allowed = atLeastOne.join(', ');
    const message = `At least one of ${allowed} is required.`;
    const example = exampleOf(properties, atLeastOne[0] ?? '');
    place.report({ code: 'nothing_stated', message, allowed, example });
  }
}

/** Returns a value as written. */
export function sourceOf({ source: { text } }: Reading, node: ParsedNode | null): string {
  return node === null ? '' : text.slice(node.range[0], node.range[1]).trim();
}

/** Returns the report of an entry that means something else than it says, and the key that is meant. */
export function formOf(
  { object }: About,
  key: string,
  source: string,
  end: number,
): { now: string; report: Report } | undefined {
  const table = object?.forms ?? {};
  const form = Object.hasOwn(table, key) ? table[key]?.(source) : undefined;
  if (form === undefined) return undefined;
  if (typeof form !== 'string') return { now: key, report: form };
  return /[\r\n]/.test(source) ? undefined : { now: form.replace(/:.*/s, ''), report: otherForm(key, form, end) };
}

/** Returns the report of a mapping in which an old key stands alone: its value is written without braces. */
export function aloneOf({ object }: About, map: YAMLMap, key: string, source: string): Report | undefined {
  const table = object?.alone ?? {};
  const value = Object.hasOwn(table, key) ? table[key]?.(source) : undefined;
  const end = map.flow === true && map.items.length === 1 ? map.range?.[1] : undefined;
  return value === undefined || end === undefined || /[\r\n]/.test(source) ? undefined : otherForm(key, value, end);
}

/** @param end offset of the end of what is to be replaced */
function otherForm(key: string, entry: string, end: number): Report {
  const message = `Write this as ${entry}.`;
  return {
    code: 'other_form',
    message,
    found: `"${key}"`,
    allowed: entry,
    suggestion: entry,
    entry: [end, entry],
  };
}
