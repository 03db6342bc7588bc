/** Unknown and outdated keys: each gets the name that is meant, or is left out. */
import { isMap } from 'yaml';
import { aboutOf, coreOf, type Schema } from '../language/about.js';
import { listed, meantWords, synonymsOf } from '../language/words.js';
import { lineStartOf } from './correct.js';
import { accepts } from './meant.js';
import { insteadOf } from './old-words.js';
import type { Place } from './place.js';
import { keyText } from './yaml.js';

/** Values below a wrong key are then read as they are meant. */
export function settleKeys(schema: Schema | undefined, map: Place): void {
  if (schema === undefined) return;
  const { shape, catchall } = coreOf(schema);
  const { name = map.parent === undefined ? 'Scenario' : String(map.name) } = aboutOf(schema);
  const isAlone = map.entries.size === 1 && isFlow(map);
  for (const entry of [...map.entries.values()]) {
    const isWritten = partsOf(name, map).some((part) => settleOld(part, map, entry, isAlone));
    if (isWritten || shape === undefined || Object.hasOwn(shape, entry.name) || catchall?.def.type !== 'never')
      continue;
    settleUnknown(shape, map, entry);
  }
}

/** Actions of a rule mean something else where it is evaluated at a delivery. */
function partsOf(name: string, { parent }: Place): string[] {
  const isDelivery = name === 'Slots' && parent?.at('when')?.text === 'webhook.deliver';
  return isDelivery ? ['DeliverySlots', name] : [name];
}

const isFlow = ({ node }: Place) => isMap(node) && node.flow === true;

function settleOld(part: string, map: Place, entry: Place, isAlone: boolean): boolean {
  const { key, range } = entry;
  const { text } = map.reading.source;
  const written = entry.node === null ? '' : text.slice(range[0], range[1]).trim();
  const instead = insteadOf(part, String(entry.name), written, isAlone);
  if (key === undefined || instead === undefined) return false;
  const known = { code: 'other_form', found: `"${entry.name}"` };
  const replaced = (by: string) => {
    const message = `Write this as ${by.replace(/\s+/g, ' ')}.`;
    return { ...known, message, allowed: by, replacement: by };
  };
  if ('key' in instead) {
    const message = `${known.found} is written "${instead.key}".`;
    key.report({ ...known, message, allowed: instead.key, suggestion: instead.key });
    map.rename(entry, instead.key);
    return true;
  }
  map.rename(entry);
  map.claimed.add(String(entry.name));
  if ('whole' in instead) map.report(replaced(instead.whole));
  else if ('message' in instead) {
    key.report({ ...known, ...instead });
    map.claimed.add(/^\w+(?=: )/.exec(instead.allowed)?.[0] ?? '');
  } else {
    const start = key.range[0];
    const indent = ' '.repeat(start - lineStartOf(text, start));
    key.report({ ...replaced(instead.entries.join(isFlow(map) ? ', ' : `\n${indent}`)), to: range[1] });
    for (const one of instead.entries) map.claimed.add(one.replace(/:.*/s, ''));
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
  const [near] = meantWords(written, free);
  const alike = free.filter((one) => hasKeysOf(shape[one], entry));
  const meant =
    synonyms.length > 0
      ? synonyms.find((one) => accepts(shape[one], entry))
      : alike.length !== 1 || (near !== undefined && alike.includes(near))
        ? near
        : alike[0];
  // In braces, a comma ends a text, and what follows looks like a key without a value.
  const isAlone = meant === undefined && entry.node === null;
  const why = isAlone ? ' In braces, put a text that contains a comma in quotes.' : '';
  const message = `Unknown key ${found}.${written === '<<' ? ' YAML 1.2 has no merge keys.' : why}`;
  const suggestion = meant !== undefined && { suggestion: meant };
  key.report({ code: 'unknown_key', message, found, allowed: listed(written, words).join(', '), ...suggestion });
  map.rename(entry, meant);
  // The unknown key is possibly the missing one.
  if (meant === undefined) map.claimed.add(written);
}

function hasKeysOf(schema: Schema | undefined, { node }: Place): boolean {
  const { shape = {} } = schema === undefined ? {} : coreOf(schema);
  if (!isMap(node)) return false;
  const keys = node.items.map(({ key }) => keyText(key) ?? '');
  const required = Object.keys(shape).filter((key) => shape[key]?.def.type !== 'optional');
  return keys.every((key) => Object.hasOwn(shape, key)) && required.every((key) => keys.includes(key));
}
