/** Warnings about conditions that nothing can meet: with one, a check passes or fails for the wrong reason. */
import { isMap, isSeq } from 'yaml';
import { isFictional, isPhone } from '../domain/customer.js';
import { dataFields } from '../domain/event-data.js';
import { nearestWord } from '../domain/text.js';
import { eventTypes } from '../domain/words.js';
import { magicTemplateFor } from '../rules/magic-numbers.js';
import { compileNamed, isPlainText } from '../rules/match.js';
import { globFitsForm, globOfRegex } from '../language/forms.js';
import type { Words } from '../language/hooks.js';
import { matcherSchema, urlSchema } from '../language/match.js';
import { isRegexText } from '../language/regex.js';
import type { Report } from '../language/problems.js';
import { meantPhone, snakeCase } from '../language/texts.js';
import { languageTag, meantWords, nameOfLanguage } from '../language/words.js';
import { lintLacking } from './fields-of-types.js';
import type { Place } from './place.js';

export interface Names {
  readonly templates: readonly string[];
  readonly aliases: readonly string[];
  readonly languages?: readonly string[];
  readonly customers?: readonly (readonly [phone: string, name: string | undefined])[];
}

export type WordsOf = (field: string) => Words | undefined;

export interface Conditions {
  /** A hook or a kind of record. */
  readonly where: string;
  readonly subject: string;
  readonly wordsOf: WordsOf;
  /** Null if it is unknown which there are. */
  readonly names: Names | null;
}

export function lintConditions(set: Place | undefined, about: Conditions): void {
  // An application can make such a call, and the API rejects it.
  const isOfAny = about.where === 'requests' && ['error', 'status'].some((key) => set?.at(key) !== undefined);
  for (const [name, at] of conditionsOf(set)) {
    if (isOfAny && ['to', 'type', 'template', 'request.body.to'].includes(name)) continue;
    const [field = '', part] = name.split('.');
    if (part !== undefined && lintPart(name, at, about)) continue;
    const words =
      name === 'request.body.to' ? about.wordsOf('to') : part === undefined ? about.wordsOf(field) : undefined;
    for (const leaf of leavesOf(at)) lintLeaf(name, at, leaf, words, about);
  }
  lintLacking(about.where, set);
}

function conditionsOf(set: Place | undefined): (readonly [name: string, at: Place])[] {
  return [...(set?.entries ?? [])].flatMap(([key, at]) =>
    key === 'not' ? conditionsOf(at) : [[String(key), at] as const],
  );
}

/** The texts and bounds of a condition, without lists and `not`. */
function leavesOf(at: Place): Place[] {
  if (isSeq(at.node)) return [...at.entries.values()].flatMap(leavesOf);
  if (!isMap(at.node)) return [at];
  const not = at.at('not');
  return [...(not === undefined ? [] : leavesOf(not)), ...(at.entries.size > (not === undefined ? 0 : 1) ? [at] : [])];
}

/** The parts of fields that are objects; a list has its numbers. */
const PARTS: Readonly<Record<string, string>> = {
  request: 'body headers query text truncated',
  response: 'body headers text truncated',
  'sent interactive': 'body buttons',
  'received interactive': 'title id',
  interactive: 'title id body buttons',
  'messages error': 'code message channel_code',
  'sent error': 'code message channel_code',
  data: [...new Set(eventTypes.flatMap(dataFields))].join(' '),
};
const LISTS = ['variables', 'events'];

const partsOf = (field: string, where: string): string[] =>
  (PARTS[`${where} ${field}`] ?? PARTS[field])?.split(' ') ?? [];

function lintPart(name: string, at: Place, { where, subject }: Conditions): boolean {
  const [field = '', part = '', header] = name.split('.');
  const words = partsOf(field, where);
  const warn = (report: Omit<Report, 'code'>) => (at.key ?? at).warn({ code: 'never_fits', found: name, ...report });
  if (LISTS.includes(field) ? /^\d+$/.test(part) : words.includes(part)) {
    if (name.startsWith('request.headers.') && header !== header?.toLowerCase()) {
      const [message, suggestion] = ['Names of request headers are in lower case.', name.toLowerCase()];
      warn({ message, allowed: suggestion, suggestion });
      return true;
    }
    return false;
  }
  if (words.length > 0) {
    const message = `${subject}, ${field} has no part "${part}".`;
    const [near] = meantWords(part, words);
    // An emitted event can have any field.
    if (field === 'data' && near === undefined) return false;
    const suggestion = `${field}.${near ?? `body.${part}`}`;
    const isKnown = words.includes('headers') || words.includes(suggestion.slice(field.length + 1));
    warn({ message, allowed: words.map((one) => `${field}.${one}`).join(', '), ...(isKnown && { suggestion }) });
  } else if (LISTS.includes(field)) {
    warn({ message: `${subject}, ${field} is a list, whose parts have numbers.`, allowed: `${field}, ${field}.0` });
  } else warn({ message: `${subject}, ${field} has no parts.`, allowed: field, suggestion: field });
  return true;
}

/** `holder` is the whole condition, with the name of the field; `at` is a text or bounds in it. */
function lintLeaf(name: string, holder: Place, at: Place, words: Words | undefined, about: Conditions): void {
  const { where, names, subject } = about;
  const text = at.text ?? '';
  if (words !== undefined && !fits(at, words, name)) {
    const found = (at.text ?? at.written ?? '').slice(0, 80);
    const { allowed, near = allowed === undefined ? words.values.map(String) : [] } = words;
    const message = `${subject}, ${name} is never ${JSON.stringify(found)}.`;
    const known = { code: 'never_fits', message, found, ...(allowed !== undefined && { allowed }), words: near };
    const parts = partsOf(name, where);
    const several = text.split(/\s*(?:\bor\b|[|,/])\s*/);
    const isList = several.length > 1 && several.every((one) => words.values.map(String).includes(one));
    const replacement = isList && { replacement: `[${several.join(', ')}]` };
    if (parts.length === 0 || words.values.length > 0)
      at.warn({ ...known, ...meantOf(name, text, names), ...replacement });
    else warnOfObject(name, holder, parts, known);
  } else if (words === undefined && /^\^|\$$|\.\*|\\[dwsDWS]/.test(text) && isPlainText(text.replaceAll('*', ''))) {
    const message = 'This is a text or a glob: a regular expression stands between two slashes.';
    const suggestion = `/${text.replaceAll('/', '\\/')}/`;
    at.warn({ code: 'regex_without_slashes', message, found: text, allowed: suggestion, suggestion });
  } else if (/^(?:phone|to|from)$/.test(name)) {
    lintFictional(at);
  } else if (name === 'language' && languageTag(text) !== undefined && names?.languages?.includes(text) !== true) {
    const tag = languageTag(text) ?? '';
    at.warn({ code: 'never_fits', message: nameOfLanguage(text, tag), found: text, suggestion: tag, allowed: tag });
  } else if (name === 'alias') {
    lintAlias(at, names, 'never_fits');
  } else if (name === 'template' || (name === 'name' && where === 'templates')) {
    lintTemplate(at, names);
  }
}

/** `interactive: Good` is compared with the whole object. */
function warnOfObject(name: string, holder: Place, parts: readonly string[], known: Report): void {
  const all = parts.map((part) => `${name}.${part}`);
  const message = `The field ${name} is an object, so it is never ${JSON.stringify(known.found)}. Name a part of it.`;
  const [suggestion = ''] = all;
  (holder.key ?? holder).warn({ ...known, message, allowed: all.join(', '), suggestion });
}

function fits(at: Place, { values, form }: Words, name: string): boolean {
  const isPath = name === 'path' || name === 'url';
  const { data: matcher } = (isPath ? urlSchema : matcherSchema).safeParse(at.value);
  if (matcher === undefined) return true;
  if (values.some(compileNamed(name, matcher))) return true;
  if (form === undefined) return false;
  // A range of times, and bounds.
  if (typeof matcher !== 'string' || (name === 'at' && matcher.includes('..'))) return true;
  const options = { slashesArePlain: isPath };
  const isLiteral = matcher.includes('*') || isPlainText(matcher, options) || /^[1-5]xx$/i.test(matcher);
  const glob = isRegexText(matcher, options) ? globOfRegex(matcher, options) : isLiteral ? matcher : undefined;
  return glob === undefined || globFitsForm(glob, form);
}

function meantOf(name: string, text: string, names: Names | null): Partial<Report> {
  if (/^(?:phone|to|from|request\.body\.to)$/.test(name)) {
    const suggestion = /…|\.{3}/.test(text) ? text.replace(/…|\.{3}/, '*') : meantNumber(text, names?.customers ?? []);
    const message = `${text} is not + and digits, so it matches no number.`;
    return { ...(isPlainText(text) && { message }), ...(suggestion !== undefined && { suggestion }) };
  }
  if (!isPlainText(text)) return {};
  if (name === 'path' || name === 'url') {
    const path = text.replace(/^(?:https?:\/\/[^/]+)?\/*(?:v1\/)?/, '/v1/');
    return { ...(!/^https:\/\/\S+\.\S/.test(text) || name === 'path' ? { suggestion: path } : {}) };
  }
  const isName = name === 'template' || name === 'name';
  return isName && globFitsForm(snakeCase(text), '[a-z][a-z0-9_]*') ? { suggestion: snakeCase(text) } : {};
}

/**
 * `0012025550101`, `02025550101`, `Ada` → `+12025550101`: a customer of the scenario, or the number that is written.
 */
function meantNumber(text: string, customers: Required<Names>['customers']): string | undefined {
  const digits = text.replace(/\D/g, '').replace(/^0+/, '');
  const known = customers.filter(
    ([phone, name]) => name?.toLowerCase() === text.toLowerCase() || (digits.length > 6 && phone.endsWith(digits)),
  );
  const meant = known.length === 1 ? known[0]?.[0] : meantPhone(/^\s*0[1-9]/.test(text) ? digits : text);
  return meant !== undefined && isPhone(meant) ? meant : undefined;
}

export function lintFictional(at: Place | undefined): void {
  const text = at?.text ?? '';
  if (!isPhone(text) || isFictional(text)) return;
  const message = `${text} may be a real phone number. Use a number reserved for fiction.`;
  // A story names a customer many times.
  if (at?.reading.warnings.some((known) => known.message === message)) return;
  const allowed = '+1AAA55501NN with any US area code AAA, or +447700900NNN';
  at?.warn({ code: 'number_not_fictional', message, allowed });
}

/** True if two names have as many words, each of which is almost the one of the other. */
function isAlmost(name: string, other: string): boolean {
  const [words, others] = [name.split('_'), other.split('_')];
  return words.length === others.length && words.every((word, i) => nearestWord(word, [others[i] ?? '']) !== undefined);
}

/** Only a name that is almost one in `given.templates`: an application can create templates of any name itself. */
export function lintTemplate(at: Place | undefined, names: Names | null): void {
  const name = at?.text ?? '';
  if (names === null || magicTemplateFor(name) !== null || !names.templates.some((one) => isAlmost(name, one))) return;
  const message = `given.templates has no "${name}", so nothing matches until the application creates it.`;
  warnUnless(at, names.templates, 'a template in given.templates, or of the application', 'unknown_template', message);
}

export function lintAlias(at: Place | undefined, names: Names | null, code = 'unknown_alias_name'): void {
  const message = `given.webhooks has no alias "${at?.text}".`;
  if (names !== null) warnUnless(at, names.aliases, 'an alias in given.webhooks', code, message);
}

function warnUnless(at: Place | undefined, words: readonly string[], allowed: string, code: string, message: string) {
  const found = at?.text;
  if (found === undefined || !isPlainText(found) || words.includes(found)) return;
  at?.warn({ code, message, found, words, ...(words.length === 0 && { allowed }) });
}
