/** Which word of this language somebody means who writes another one: words of beginners and of other tools. */
import { nearestFirst, nearestWord } from '../../domain/nearest-word.js';

/** By how they are written, without case and separators: what they may stand for, where one of that is known. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  // Keys.
  if: ['match', 'where'],
  filter: ['match', 'where'],
  condition: ['match', 'where'],
  conditions: ['match', 'where'],
  with: ['match', 'where'],
  name: ['id', 'alias', 'template', 'profile_name'],
  phone: ['to', 'from', 'phone'],
  number: ['to', 'from', 'phone'],
  recipient: ['to', 'recipient'],
  customer: ['to', 'from', 'phone'],
  user: ['to', 'from', 'phone'],
  sender: ['from'],
  at: ['when', 'active', 'after', 'from'],
  on: ['when'],
  hook: ['when'],
  event: ['when', 'type'],
  operation: ['when'],
  do: ['then'],
  action: ['then'],
  actions: ['then'],
  time: ['at'],
  when: ['at'],
  in: ['at', 'after'],
  wait: ['after', 'delay', 'latency_real'],
  delay: ['after', 'at', 'latency_real', 'event_lag'],
  response: ['respond'],
  reply: ['inbound', 'respond'],
  answer: ['inbound', 'respond', 'answered'],
  body: ['text'],
  message: ['text', 'because'],
  content: ['text', 'body'],
  reason: ['because', 'rejection_reason'],
  why: ['because', 'reason'],
  description: ['because'],
  of: ['that'],
  what: ['that'],
  subject: ['that'],
  percent: ['chance'],
  percentage: ['chance'],
  probability: ['chance'],
  atleast: ['min'],
  minimum: ['min'],
  atmost: ['max'],
  maximum: ['max'],
  exactly: ['count'],
  times: ['count', 'first'],
  regex: ['matches'],
  pattern: ['matches'],
  includes: ['contains'],
  is: ['equals'],
  url: ['endpoint'],
  error: ['code'],
  copies: ['duplicate'],
  // Values.
  transactional: ['utility'],
  service: ['utility'],
  promotional: ['marketing'],
  promotion: ['marketing'],
  advertising: ['marketing'],
  otp: ['authentication', 'otps', 'otp.send'],
  auth: ['authentication'],
  verification: ['authentication'],
  calls: ['requests'],
  customers: ['messages'],
  endpoints: ['webhooks'],
  codes: ['otps'],
  end: ['finish'],
  done: ['finish'],
  received: ['message.received'],
  webhooksend: ['webhook.deliver'],
  send: ['message.send'],
  customerwrites: ['inbound'],
  enabled: ['active'],
  disabled: ['paused'],
  yes: ['open'],
  no: ['closed'],
};

/** Names of languages, as people write them who know no tags. */
const LANGUAGES: Readonly<Record<string, string>> = {
  english: 'en',
  german: 'de',
  french: 'fr',
  spanish: 'es',
  portuguese: 'pt',
  italian: 'it',
  dutch: 'nl',
  polish: 'pl',
  arabic: 'ar',
  hindi: 'hi',
  turkish: 'tr',
  russian: 'ru',
  chinese: 'zh',
  japanese: 'ja',
};

/** The tag of a language by its English name. */
export function languageTag(name: string): string | undefined {
  const plain = name.toLowerCase();
  return Object.hasOwn(LANGUAGES, plain) ? LANGUAGES[plain] : undefined;
}

/**
 * The known words that a text may stand for: the same one in other spelling, its parts the other way round
 * (`send.message`), a synonym, or the nearest one.
 */
export function meantWords(text: string, words: readonly string[]): string[] {
  const plain = plainForm(text);
  const turned = text
    .split(/[._\s-]+|(?<=[a-z])(?=[A-Z])/)
    .reverse()
    .join('')
    .toLowerCase();
  const same = words.filter((word) => plainForm(word) === plain || plainForm(word) === turned);
  if (same.length > 0) return same;
  const known = synonymsOf(text, words);
  if (known.length > 0) return known;
  const nearest = nearestWord(text, words);
  return nearest === undefined ? [] : [nearest];
}

export function synonymsOf(text: string, words: readonly string[]): string[] {
  const plain = plainForm(text);
  return Object.hasOwn(SYNONYMS, plain) ? (SYNONYMS[plain] ?? []).filter((word) => words.includes(word)) : [];
}

/** Of a longer list of what is allowed, the nearest come first. */
const LONG_LIST = 8;

export function listed(text: string, words: readonly string[]): readonly string[] {
  return words.length > LONG_LIST && text !== '' ? nearestFirst(text, words, 3) : words;
}

function plainForm(word: string): string {
  return word.toLowerCase().replace(/[\s_.-]/g, '');
}
