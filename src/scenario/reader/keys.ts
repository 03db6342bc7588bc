/** Keys that a mapping does not have, or that are no longer written so: each gets the name that is meant, or is left out. */
import { isMap } from 'yaml';
import { aboutOf, coreOf, type Schema } from '../schema/about.js';
import type { Report } from '../schema/problems.js';
import { listed, meantWords, synonymsOf } from '../schema/words.js';
import { lineStartOf } from './correct.js';
import type { Place } from './place.js';
import { accepts } from './tree.js';

/** Reports them, so that what is below them is read as it is meant. */
export function settleKeys(schema: Schema | undefined, map: Place): void {
  if (schema === undefined) return;
  const { shape, catchall } = coreOf(schema);
  const isAlone = map.entries.size === 1;
  for (const entry of [...map.entries.values()]) {
    const isWritten = settleOld(schema, map, entry, isAlone);
    if (isWritten || shape === undefined || Object.hasOwn(shape, entry.name) || catchall?.def.type !== 'never')
      continue;
    settleUnknown(shape, map, entry);
  }
}

/** Returns whether an entry is no longer written so, which is reported; otherwise, it means what it says. */
function settleOld(schema: Schema, map: Place, entry: Place, isAlone: boolean): boolean {
  const { key, range } = entry;
  const { old = {} } = aboutOf(schema);
  const form = Object.hasOwn(old, entry.name) ? old[entry.name] : undefined;
  if (form === undefined || key === undefined) return false;
  const found = `"${entry.name}"`;
  if (typeof form === 'string') {
    key.report({
      code: 'other_form',
      message: `${found} is written "${form}".`,
      found,
      allowed: form,
      suggestion: form,
    });
    map.rename(entry, form);
    return true;
  }
  const isFlow = isMap(map.node) && map.node.flow === true;
  const source = entry.node === null ? '' : map.reading.source.text.slice(range[0], range[1]).trim();
  const isOneLine = !/[\r\n]/.test(source);
  const instead = form(source, isAlone && isFlow && isOneLine);
  if (instead === undefined || (Array.isArray(instead) && !isOneLine)) return false;
  map.rename(entry);
  map.claimed.add(String(entry.name));
  const replaced = (by: string): Report => {
    const message = `Write this as ${by.replace(/\s+/g, ' ')}.`;
    return { code: 'other_form', message, found, allowed: by, suggestion: by };
  };
  if ('whole' in instead) {
    map.report({ ...replaced(instead.whole), entry: [map.range[1], instead.whole] });
  } else if ('message' in instead) {
    key.report({ code: 'other_form', found, ...instead });
  } else {
    const entries: readonly string[] = instead;
    const start = key.range[0];
    const by = entries.join(isFlow ? ', ' : `\n${' '.repeat(start - lineStartOf(map.reading.source.text, start))}`);
    key.report({ ...replaced(by), entry: [range[1], by] });
    for (const one of entries) map.claimed.add(one.replace(/:.*/s, ''));
  }
  return true;
}

function settleUnknown(shape: Readonly<Record<string, Schema>>, map: Place, entry: Place): void {
  const words = Object.keys(shape);
  const written = String(entry.name);
  const found = `"${written.slice(0, 80)}"`;
  const { key = entry } = entry;
  // Only a colon is missing: `then { lifecycle`, `when message.send`.
  const [, word = '', rest = ''] = /^(\w+)(?::|\s+)(.*)$/.exec(written) ?? [];
  if (words.includes(word)) {
    const message = `The colon after "${word}", or the space after the colon, is missing.`;
    const [allowed, replacement] = [`${word}: VALUE`, `${word}: ${rest}`];
    key.report({ code: 'colon_missing', message, found, allowed, replacement });
    map.claimed.add(word);
    map.rename(entry);
    return;
  }
  const free = words.filter((one) => !map.entries.has(one));
  const synonyms = synonymsOf(written, free);
  const meant =
    synonyms.length === 0 ? meantWords(written, free)[0] : synonyms.find((one) => accepts(shape[one], entry));
  // In braces, a comma ends a text, and what follows looks like a key without a value.
  const isAlone = meant === undefined && entry.node === null;
  const why = isAlone ? ' In braces, put a text that contains a comma in quotes.' : '';
  const message = `Unknown key ${found}.${written === '<<' ? ' YAML 1.2 has no merge keys.' : why}`;
  const suggestion = meant !== undefined && { suggestion: meant };
  key.report({ code: 'unknown_key', message, found, allowed: listed(written, words).join(', '), ...suggestion });
  map.rename(entry, meant);
}
