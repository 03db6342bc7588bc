/** Finds the word of this language that a text stands for: typos, synonyms of beginners, words of other tools. */
import { nearestFirst, nearestWord } from '../../domain/text.js';

/** What a word, without case and separators, may stand for. Only words that are allowed at the place count. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  // Keys.
  if: ['match', 'where'],
  filter: ['match', 'where'],
  condition: ['match', 'where'],
  conditions: ['match', 'where'],
  with: ['match', 'where'],
  name: ['id', 'alias', 'template'],
  phone: ['phone', 'to', 'from'],
  number: ['phone', 'to', 'from'],
  recipient: ['phone', 'to'],
  customer: ['phone', 'to', 'from'],
  user: ['phone', 'to', 'from'],
  to: ['phone'],
  from: ['phone'],
  sender: ['phone', 'from'],
  at: ['when', 'active', 'after'],
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
  delay: ['after', 'at', 'latency_real'],
  response: ['respond'],
  reply: ['inbound', 'respond'],
  answer: ['inbound', 'respond'],
  body: ['text'],
  message: ['text', 'because'],
  content: ['text', 'body'],
  reason: ['because', 'rejection_reason'],
  why: ['because'],
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
  times: ['count', 'calls'],
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
  true: ['open'],
  false: ['closed'],
  until: ['before'],
  since: ['after'],
  blocked: ['failed'],
  rejected: ['failed'],
  reject: ['rejected'],
  approve: ['approved'],
  never: ['pending'],
  yes: ['open'],
  no: ['closed'],
};

/** English names of languages, for authors who do not use tags. */
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

/** Returns the tag of a language by its English name. */
export function languageTag(name: string): string | undefined {
  const plain = name.toLowerCase();
  return Object.hasOwn(LANGUAGES, plain) ? LANGUAGES[plain] : undefined;
}

/**
 * Returns the known words that a text may stand for: the same word in another spelling, with its parts reversed
 * (`send.message`), a synonym, or the nearest word.
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

/** A longer list of allowed words begins with the nearest ones. */
const LONG_LIST = 8;

export function listed(text: string, words: readonly string[]): readonly string[] {
  return words.length > LONG_LIST && text !== '' ? nearestFirst(text, words, 3) : words;
}

function plainForm(word: string): string {
  return word.toLowerCase().replace(/[\s_.-]/g, '');
}
