import { z } from 'zod';
import { isObject } from '../domain/json.js';
import { about, type Misfit, type Schema, type Unchecked } from './about.js';
import { FACTS_BY_HOOK, HOOKS, type Hook } from './hooks.js';
import { choice, integer, list, object, optional, text, type ObjectOf } from './kit.js';
import type { Report } from './problems.js';
import { compileRegex, isRegexText, RegexError } from './regex.js';

function regexFault(source: string, flags: string): Report | undefined {
  try {
    compileRegex(source, flags);
    return undefined;
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    const allowed =
      'a regular expression without back references and lookarounds; { not: /STOP/ } for a text without STOP';
    // `^(?!STOP)`, `^(?!.*STOP).*$`
    const [, begin = '', anywhere = '', inner] = /^(\^?)\(\?!(\.\*)?([^()]+)\)(?:\.[*+]\$?)?$/.exec(source) ?? [];
    const negated = `/${anywhere === '' ? begin : ''}${inner}/${flags}`;
    return {
      code: 'bad_regex',
      message: error.message,
      allowed,
      ...(inner !== undefined && { replacement: `{ not: ${JSON.stringify(negated)} }` }),
    };
  }
}

const PHONES = /^\+\d{7,15}(?:[\s;]+\+\d{7,15})+$/;

/** A text that would silently match nothing. */
function slipOf(value: string, slashesArePlain: boolean): Report | undefined {
  if (PHONES.test(value)) {
    return {
      code: 'comma_missing',
      message: 'Several numbers need commas between them; together they match no recipient.',
      allowed: 'a list of numbers such as [+12025550113, +12025550114]',
      replacement: `[${value.split(/[\s;]+/).join(', ')}]`,
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

/** A condition; if there are several keys, all must hold. */
export interface TextMatcher {
  min?: number;
  max?: number;
  not?: Matcher;
  /** Only of a time: a range of the day in UTC, such as 22:00..08:00. */
  clock?: string;
}

/**
 * Exact text, `*` glob, `/regex/flags`, a list (any of them), or an object of conditions. Scalars keep their source
 * text.
 */
export type Matcher = string | Matcher[] | TextMatcher;

const bound = integer(-1_000_000_000, 1_000_000_000, 1);
const conditions: Schema<TextMatcher> = object(
  {
    min: optional(bound, 'Smallest number that matches.'),
    max: optional(bound, 'Largest number that matches.'),
    get not() {
      return optional(matcherSchema, 'Matcher that must not match. An absent field never matches a matcher.');
    },
  },
  {
    name: 'Conditions',
    allowed: 'conditions such as { not: template }',
    atLeastOne: ['min', 'max', 'not'],
    check: ({ min = -Infinity, max = Infinity }) =>
      min > max && {
        at: 'min' as const,
        code: 'out_of_range',
        message: 'min must not be greater than max.',
        allowed: `at most ${max}`,
      },
  },
);

function matcherNamed(name: string, slashesArePlain: boolean): Schema<Matcher> {
  const one = text({
    allowed: 'a text, a * glob or a /regex/flags',
    example: '"promo_*"',
    minLength: 0,
    maxLength: 1024,
    check(value) {
      const regex = isRegexText(value, { slashesArePlain });
      return regex ? regexFault(regex.source, regex.flags) : slipOf(value, slashesArePlain);
    },
  });
  const schema: Schema<Matcher> = z.lazy(() => matcher);
  const matcher = choice<Matcher>([one, list(schema, 1, 100), conditions]);
  const allowed = 'a text, a * glob, a /regex/, a list of them, or conditions';
  return about(schema, { name, allowed, example: '"promo_*"' });
}

export const matcherSchema: Schema<Matcher> = matcherNamed('Matcher', false);
/** Paths and URLs contain slashes. */
export const urlSchema = matcherNamed('UrlMatcher', true);

const facts = {
  phone: optional(matcherSchema, 'Number of the customer, for messages in both directions.'),
  type: optional(matcherSchema, 'Message type: `text`, `image`, `document`, `interactive` or `template`.'),
  template: optional(matcherSchema, 'Template name.'),
  language: optional(matcherSchema, 'Template language.'),
  category: optional(matcherSchema, 'Template category.'),
  text: optional(matcherSchema, 'Text of the message, or body of the template with its variables filled in.'),
  name: optional(matcherSchema, 'Template name.'),
  body: optional(matcherSchema, 'Template body, with its placeholders.'),
  url: optional(
    urlSchema,
    'At the hooks `webhook.create` and `webhook.deliver`: URL of the endpoint. At the hook `api.any`: path of the call, such as `/v1/messages`.',
  ),
  events: optional(matcherSchema, 'Event types of the subscription. One of them must match.'),
  event: optional(matcherSchema, 'Event type, such as `message.status`.'),
  status: optional(
    matcherSchema,
    'At the hooks `message.get` and `webhook.deliver`: message status. At the hook `template.get`: template status. At the hook `api.any`: HTTP status of the response, such as `404` or `4xx`.',
  ),
  alias: optional(matcherSchema, 'Alias of the endpoint in `given.webhooks`.'),
  attempts: optional(matcherSchema, 'Number of the attempt. `1`: the first attempt.'),
  method: optional(matcherSchema, 'HTTP method.'),
};

/** All named facts must match, and `not` must not. */
export interface Match extends ObjectOf<typeof facts> {
  not?: Match;
}

export const matchSchema: Schema<Match> = object(
  {
    ...facts,
    get not() {
      return optional(matchSchema, 'Conditions of which at least one must not hold.');
    },
  },
  { name: 'Match', allowed: 'conditions on facts', example: '{ phone: "+1415*" }' },
);

const wordsAt = (hook: Hook) => [...FACTS_BY_HOOK[hook].keys(), 'not'];

/** A field that does not exist at the hook could never match. */
export function factFaults({ when, match }: Unchecked, at: readonly string[] = ['match']): Misfit[] {
  const hook = HOOKS.find((name) => name === when);
  if (hook === undefined || !isObject(match)) return [];
  const words = wordsAt(hook);
  return Object.keys(match).flatMap((key) => {
    if (key === 'not') return factFaults({ when, match: match[key] }, [...at, key]);
    if (words.includes(key)) return [];
    const message = `"${key}" cannot be matched at ${hook}.`;
    return [{ at: [...at, key], onKey: true, code: 'fact_not_known_here', message, found: key, words }];
  });
}

export const factsByHook = {
  allOf: HOOKS.map((hook) => ({
    if: { required: ['when'], properties: { when: { const: hook } } },
    then: { properties: { match: { propertyNames: { enum: wordsAt(hook) } } } },
  })),
};

/** `events` is a list, `attempts` and the `status` of `api.any` are numbers, everything else is a string. */
export type Facts = Readonly<Partial<Record<Exclude<keyof Match, 'not'>, string | number | readonly string[]>>>;
