/** What a value and the keys of a mapping stand for: which schema is meant, and which word stands behind a slip. */
import { type ObjectOptions } from '../schema/mappings.js';
import type { ParsedNode, YAMLMap } from 'yaml';
import { isMap, isScalar, isSeq } from '../../domain/yaml.js';
import { aboutIfKnown, coreOf, defOf, type Schema } from '../schema/kit.js';
import type { Report } from '../schema/problems.js';
import { listed, meantWords, synonymsOf } from '../schema/words.js';
import { lineStartOf } from './edits.js';
import { keyText } from './yaml.js';

interface MeantSchema {
  readonly schema: Schema;
  /** Of a choice, the index of the schema. */
  readonly option?: number | undefined;
}

/** Returns the schema that is meant for a value: of a choice, the one of its kind that finds most of its required keys. */
export function meantSchema(written: Schema, node: ParsedNode): MeantSchema {
  const schema = coreOf(written);
  const { options = [] } = defOf(schema);
  if (aboutIfKnown(schema)?.isNumeric === true) return { schema };
  const isSet = isScalar(node) && node.value !== null;
  const kind = isMap(node) ? 'object' : isSeq(node) ? 'array' : isSet ? 'string' : 'nothing';
  const keys = isMap(node) ? node.items.flatMap((pair) => keyText(pair.key) ?? []) : [];
  const defs = options.map((one) => defOf(coreOf(one)));
  const found = defs.map(({ type, shape = {} }) => {
    if (type !== kind) return -1;
    return keys.filter((key) => Object.hasOwn(shape, key) && defOf(shape[key] as Schema).type !== 'optional').length;
  });
  const best = Math.max(...found);
  const option = best >= 0 ? found.indexOf(best) : defs.every(({ type }) => type === 'object') ? 0 : -1;
  const chosen = options[option];
  return chosen === undefined ? { schema } : { schema: coreOf(chosen), option };
}

interface Known {
  readonly words: readonly string[];
  /** Words that the mapping does not have yet. */
  readonly free: readonly string[];
  /** Whether the value can be read as that of a word. */
  readonly accepts: (word: string) => boolean;
  /** Whether the key has no value. */
  readonly isAlone: boolean;
}

interface UnknownKey {
  readonly report: Report;
  /** The word that is meant, if the value can be read as that one's. */
  readonly meant?: string | undefined;
  /** A word that is present, although its value cannot be read. */
  readonly misspelt?: string;
}

/** Returns what to report of an unknown key. */
export function keyReport(key: string, { words, free, accepts, isAlone }: Known): UnknownKey {
  const found = `"${key.slice(0, 80)}"`;
  // Only a colon is missing: `then { lifecycle`, `when message.send`.
  const [, word = '', rest = ''] = /^(\w+)(?::|\s+)(.*)$/.exec(key) ?? [];
  if (words.includes(word)) {
    const message = `The colon after "${word}", or the space after the colon, is missing.`;
    const [allowed, replacement] = [`${word}: VALUE`, `${word}: ${rest}`];
    return { report: { code: 'colon_missing', message, found, allowed, replacement }, misspelt: word };
  }
  const synonyms = synonymsOf(key, free);
  const meant = synonyms.length === 0 ? meantWords(key, free)[0] : synonyms.find(accepts);
  let why = '';
  if (key === '<<') why = ' YAML 1.2 has no merge keys.';
  // In braces, a comma ends a text, and what follows looks like a key without a value.
  else if (meant === undefined && isAlone) why = ' In braces, put a text that contains a comma in quotes.';
  const message = `Unknown key ${found}.${why}`;
  const suggestion = meant === undefined ? {} : { suggestion: meant };
  return {
    report: { code: 'unknown_key', message, found, allowed: listed(key, words).join(', '), ...suggestion },
    meant,
  };
}

interface Entry {
  readonly key: string;
  readonly value: ParsedNode | null;
  /** Offsets of the entry. */
  readonly start: number;
  readonly end: number;
}

interface OtherForm {
  readonly report: Report;
  /** The keys that are meant. */
  readonly now: readonly string[];
  /** Whether only the name of the key has changed, so that its value is read. */
  readonly isName?: boolean;
  /** Whether the whole mapping is to be replaced. */
  readonly isWhole?: boolean;
}

/** Returns what to report of an entry that means something else than it says, such as an old word. */
export function formOf(
  { old = {}, alone = {} }: ObjectOptions<never, string>,
  map: YAMLMap,
  { key, value, start, end }: Entry,
  text: string,
): OtherForm | undefined {
  const source = value === null ? '' : text.slice(value.range[0], value.range[1]).trim();
  const isOneLine = !/[\r\n]/.test(source);
  // An old key that stands alone: its value is written without braces.
  const whole = Object.hasOwn(alone, key) ? alone[key]?.(source) : undefined;
  if (whole !== undefined && map.flow === true && map.items.length === 1 && map.range && isOneLine) {
    return { report: otherForm(key, whole, map.range[1]), now: [key], isWhole: true };
  }
  const form = Object.hasOwn(old, key) ? old[key] : undefined;
  if (typeof form === 'string') {
    const message = `"${key}" is written "${form}".`;
    const report = { code: 'other_form', message, found: `"${key}"`, allowed: form, suggestion: form };
    return { report, now: [form], isName: true };
  }
  const now = form?.(source);
  if (now === undefined) return undefined;
  if (!('length' in now)) return { now: [key], report: now };
  const newLine = `\n${' '.repeat(start - lineStartOf(text, start))}`;
  const report = otherForm(key, now.join(map.flow === true ? ', ' : newLine), end);
  return isOneLine ? { now: now.map((one) => one.replace(/:.*/s, '')), report } : undefined;
}

function otherForm(key: string, entry: string, end: number): Report {
  const message = `Write this as ${entry.replace(/\s+/g, ' ')}.`;
  return { code: 'other_form', message, found: `"${key}"`, allowed: entry, suggestion: entry, entry: [end, entry] };
}
