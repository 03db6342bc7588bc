/** What the keys of a mapping say: which schema is meant, and which word stands behind a slip. */
import { isMap, isScalar, isSeq, type ParsedNode } from 'yaml';
import { aboutNamed, exampleOf, type About, type NodeKind, type Schema } from '../schema/kit.js';
import { keyText } from './json-text.js';
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

/** Returns what to write instead of an entry that means something else than it says, and its key. */
export function formOf({ object }: About, key: string, source: string): { now: string; entry: string } | undefined {
  const table = object?.forms ?? {};
  const form = Object.hasOwn(table, key) ? table[key] : undefined;
  const entry = /[\r\n]/.test(source) ? undefined : form?.(source);
  return entry === undefined ? undefined : { now: entry.replace(/:.*/s, ''), entry };
}

/** @param end offset of the end of the value */
export function reportForm(keyPlace: Place, key: string, entry: string, end: number): void {
  const message = `Write this as ${entry}.`;
  const found = `"${key}"`;
  keyPlace.report({ code: 'other_form', message, found, allowed: entry, suggestion: entry, entry: [end, entry] });
}
