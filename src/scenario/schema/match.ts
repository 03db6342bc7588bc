/** Conditions on facts, as written in a scenario. */
import { object, optional, type ObjectOf, type Unchecked } from './mappings.js';
import { isPlain, type Lazy, type Misfit, type Schema } from './kit.js';
import { choice, integer, list, recursive, text } from './values.js';
import { compileRegex, isRegexText, RegexError } from './regex.js';
import { FACTS_BY_HOOK, HOOKS, type Hook } from './hooks.js';
import { aloneConditions, oldConditions, oldWords } from './old-words.js';
import type { Report } from './problems.js';

function regexFault(source: string, flags: string): Report | undefined {
  try {
    compileRegex(source, flags);
    return undefined;
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    const allowed = 'a regular expression without back references and lookarounds';
    return { code: 'bad_regex', message: error.message, allowed };
  }
}

const PHONES = /^\+\d{7,15}(?:[\s;]+\+\d{7,15})+$/;

/** Returns the error in a text that would silently match nothing. */
function slipOf(value: string, slashesArePlain: boolean): Report | undefined {
  if (PHONES.test(value)) {
    const numbers = value.split(/[\s;]+/).join(', ');
    return {
      code: 'comma_missing',
      message: 'Several numbers need commas between them; together they match no recipient.',
      allowed: 'a list of numbers such as [+12025550113, +12025550114]',
      replacement: `[${numbers}]`,
    };
  }
  if (slashesArePlain || !/^\/[^/]+$/.test(value)) return undefined;
  return {
    code: 'bad_regex',
    message:
      'The regular expression has no closing slash. In braces, put an expression that contains a comma in quotes.',
    allowed: `${value}/ for a regular expression, ${JSON.stringify(`${value}*`)} for texts that begin so`,
    example: `${value}/i`,
  };
}

const matcherText = (slashesArePlain: boolean) =>
  text({
    allowed: 'a text, a * glob or a /regex/flags',
    example: '"promo_*"',
    minLength: 0,
    maxLength: 1024,
    check(value) {
      const regex = isRegexText(value, { slashesArePlain });
      return regex ? regexFault(regex.source, regex.flags) : slipOf(value, slashesArePlain);
    },
  });

const bound = integer(-1_000_000_000, 1_000_000_000, 1);
/** A condition; if there are several keys, all must hold. */
export interface TextMatcher {
  min?: number;
  max?: number;
  not?: Matcher;
}

/** Exact text, `*` glob, `/regex/flags`, a list (any of them), or an object of conditions. Scalars keep their source text. */
export type Matcher = string | Matcher[] | TextMatcher;

const conditions: Lazy<TextMatcher> = recursive(
  'Conditions',
  'conditions such as { not: template }',
  '{ not: template }',
  object(
    {
      min: optional(bound, 'Smallest number that matches.'),
      max: optional(bound, 'Largest number that matches.'),
      not: optional(() => matcherSchema(), 'This matcher does not match. An absent field does not match anything.'),
    },
    { atLeastOne: ['min', 'max', 'not'], old: oldConditions, alone: aloneConditions },
  ),
);

function matcherNamed(name: string, slashesArePlain: boolean): Lazy<Matcher> {
  const allowed = 'a text, a * glob, a /regex/, a list of them, or conditions';
  const many = list<Matcher>((): Schema<Matcher> => schema(), { min: 1, max: 100 });
  const options = [matcherText(slashesArePlain), many, conditions];
  const schema: Lazy<Matcher> = recursive(name, allowed, '"promo_*"', choice<Matcher>(options, allowed));
  return schema;
}

export const matcherSchema: Lazy<Matcher> = matcherNamed('Matcher', false);
/** For paths and URLs, which have slashes of their own. */
export const urlSchema = matcherNamed('UrlMatcher', true);

export const ruleIdSchema = text({
  allowed: 'a name of letters, digits, - _ . : and []',
  example: 'third-one-fails',
  pattern: /^[\w.:[\]-]{1,100}$/,
  meant: (value) => value.trim().replace(/[^\w.:[\]-]+/g, '-'),
});

const facts = {
  phone: optional(matcherSchema, 'Number of the customer, for messages in both directions.'),
  type: optional(
    matcherSchema,
    'Message type: text, image, document, interactive, template. webhook.deliver: the type of the message.',
  ),
  template: optional(matcherSchema, 'Template name.'),
  language: optional(matcherSchema, 'Template language.'),
  category: optional(matcherSchema, 'Template category.'),
  text: optional(matcherSchema, 'Text of the message, or body of the template with its variables filled in.'),
  name: optional(matcherSchema, 'Template name.'),
  body: optional(matcherSchema, 'Template body, with its placeholders.'),
  url: optional(
    urlSchema,
    'webhook.create, webhook.deliver: URL of the endpoint. api.any: path of the call, such as /v1/messages.',
  ),
  events: optional(matcherSchema, 'Event types of the subscription; matches if one of them does.'),
  event: optional(matcherSchema, 'Event type, such as message.status.'),
  status: optional(
    matcherSchema,
    'message.get, webhook.deliver: message status. template.get: template status. api.any: HTTP status of the response, also as 4xx.',
  ),
  alias: optional(matcherSchema, 'Alias of the endpoint in given.webhooks.'),
  attempts: optional(matcherSchema, 'Number of attempts with this one: 1 at the first.'),
  method: optional(matcherSchema, 'HTTP method.'),
};

/** All named facts must match, and `not` must not. */
export interface Match extends ObjectOf<typeof facts> {
  not?: Match;
}

export const matchSchema: Lazy<Match> = recursive(
  'Match',
  'conditions on facts',
  '{ phone: "+1415*" }',
  object(
    { ...facts, not: optional(() => matchSchema(), 'These conditions do not all hold.') },
    { old: oldWords.match },
  ),
);

const wordsAt = (hook: Hook) => [...FACTS_BY_HOOK[hook], 'not'];

/** Reports fields that do not exist at the hook of a rule: with one, it could never match. */
export function factFaults({ when, match }: Unchecked, at: readonly string[] = ['match']): Misfit[] {
  const hook = HOOKS.find((name) => name === when);
  if (hook === undefined || !isPlain(match)) return [];
  const words = wordsAt(hook);
  return Object.keys(match).flatMap((key) => {
    if (key === 'not') return factFaults({ when, match: match[key] }, [...at, key]);
    if (words.includes(key)) return [];
    const message = `"${key}" cannot be matched at ${hook}.`;
    return [{ at: [...at, key], onKey: true, code: 'fact_not_known_here', message, found: key, words }];
  });
}

/** The facts of each hook, for the printed schema of a rule. */
export const factsByHook = {
  allOf: HOOKS.map((hook) => ({
    if: { required: ['when'], properties: { when: { const: hook } } },
    then: { properties: { match: { propertyNames: { enum: wordsAt(hook) } } } },
  })),
};
