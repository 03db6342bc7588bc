/** What the keys of a mapping say: which schema is meant, and which word stands behind a slip. */
import type { ParsedNode, YAMLMap } from 'yaml';
import { isMap, isScalar, isSeq } from '../../domain/yaml.js';
import { aboutNamed, exampleOf, type About, type NodeKind, type Schema } from '../schema/kit.js';
import type { Report } from '../schema/problems.js';
import { listed, meantWords, synonymsOf } from '../schema/words.js';
import { lineStartOf } from './edits.js';
import type { Place } from './place.js';
import { keyText } from './yaml.js';

/** Returns what is known of the schema that is meant for a value. */
export function aboutOf(schema: Schema<unknown>, node: ParsedNode): About {
  const isSet = isScalar(node) && node.value !== null;
  const kind: NodeKind = isMap(node) ? 'map' : isSeq(node) ? 'list' : isSet ? 'scalar' : 'nothing';
  const keys = isMap(node) ? node.items.flatMap((pair) => keyText(pair.key) ?? []) : [];
  for (let told = aboutNamed(schema); ;) {
    const chosen = told.choose?.(kind, keys);
    if (chosen === undefined) return told;
    told = aboutNamed(chosen);
  }
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
      place.report({ code, message, allowed, example });
    }
  }
  if (atLeastOne.length > 0 && !atLeastOne.some(has)) {
    const allowed = atLeastOne.join(', ');
    const message = `At least one of ${allowed} is required.`;
    const example = exampleOf(properties, atLeastOne[0] ?? '');
    place.report({ code: 'nothing_stated', message, allowed, example });
  }
}

interface Written {
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
  { object = {} }: About,
  map: YAMLMap,
  { key, value, start, end }: Written,
  { reading }: Place,
): OtherForm | undefined {
  const source = value === null ? '' : reading.source.text.slice(value.range[0], value.range[1]).trim();
  const isOneLine = !/[\r\n]/.test(source);
  const { old = {}, alone = {} } = object;
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
  const { text } = reading.source;
  const newLine = `\n${' '.repeat(start - lineStartOf(text, start))}`;
  const report = otherForm(key, now.join(map.flow === true ? ', ' : newLine), end);
  return isOneLine ? { now: now.map((one) => one.replace(/:.*/s, '')), report } : undefined;
}

function otherForm(key: string, entry: string, end: number): Report {
  return {
    code: 'other_form',
    message: `Write this as ${entry.replace(/\s+/g, ' ')}.`,
    found: `"${key}"`,
    allowed: entry,
    suggestion: entry,
    entry: [end, entry],
  };
}
