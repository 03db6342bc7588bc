/** Conditions on facts, as written in a scenario. */
import { object, once, optional, type ObjectOf, type Schema } from './kit.js';
import { integer, text } from './scalars.js';
import { byKind, list, named } from './collections.js';
import { compileRegex, isRegexText, RegexError } from './regex.js';
import { FACTS_BY_HOOK, HOOKS, type Hook } from './hooks.js';
import { oldConditions } from './old-conditions.js';
import type { RawMap, Report } from './problems.js';

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

const bound = once(() => integer(-1_000_000_000, 1_000_000_000, 1));
/** A condition; if there are several keys, all must hold. */
export interface TextMatcher {
  min?: number;
  max?: number;
  not?: Matcher;
}

/** Exact text, `*` glob, `/regex/flags`, a list (any of them), or an object of conditions. Scalars keep their source text. */
export type Matcher = string | Matcher[] | TextMatcher;

const conditions = once((): Schema<TextMatcher> =>
  named('Conditions', 'conditions such as { not: template }', '{ not: template }', () =>
    object(
      {
        min: optional(bound(), 'Smallest number that matches.'),
        max: optional(bound(), 'Largest number that matches.'),
        not: optional(matcherSchema(), 'This matcher does not match. An absent field does not match anything.'),
      },
      { atLeastOne: ['min', 'max', 'not'], ...oldConditions },
    ),
  ),
);

function matcherNamed(name: string, slashesArePlain: boolean): Schema<Matcher> {
  const allowed = 'a text, a * glob, a /regex/, a list of them, or conditions';
  const schema: Schema<Matcher> = named(name, allowed, '"promo_*"', () =>
    byKind({
      scalar: matcherText(slashesArePlain),
      list: list(schema, { min: 1, max: 100 }),
      map: conditions(),
    }),
  );
  return schema;
}

export const matcherSchema = once(() => matcherNamed('Matcher', false));
/** For paths and URLs, which have slashes of their own. */
export const urlSchema = once(() => matcherNamed('UrlMatcher', true));

export const ruleIdSchema = once(() =>
  text({
    allowed: 'a name of letters, digits, - _ . : and []',
    example: 'third-one-fails',
    pattern: /^[\w.:[\]-]{1,100}$/,
    meant: (value) => value.trim().replace(/[^\w.:[\]-]+/g, '-'),
  }),
);

const facts = once(() => ({
  phone: optional(matcherSchema(), 'Number of the customer, for messages in both directions.'),
  type: optional(
    matcherSchema(),
    'Message type: text, image, document, interactive, template. webhook.deliver: the type of the message.',
  ),
  template: optional(matcherSchema(), 'Template name.'),
  language: optional(matcherSchema(), 'Template language.'),
  category: optional(matcherSchema(), 'Template category.'),
  text: optional(matcherSchema(), 'Text of the message, or body of the template with its variables filled in.'),
  name: optional(matcherSchema(), 'Template name.'),
  body: optional(matcherSchema(), 'Template body, with its placeholders.'),
  url: optional(
    urlSchema(),
    'webhook.create, webhook.deliver: URL of the endpoint. api.any: path of the call, such as /v1/messages.',
  ),
  events: optional(matcherSchema(), 'Event types of the subscription; matches if one of them does.'),
  event: optional(matcherSchema(), 'Event type, such as message.status.'),
  status: optional(
    matcherSchema(),
    'message.get, webhook.deliver: message status. template.get: template status. api.any: HTTP status of the response, also as 4xx.',
  ),
  alias: optional(matcherSchema(), 'Alias of the endpoint in given.webhooks.'),
  attempts: optional(matcherSchema(), 'Number of attempts with this one: 1 at the first.'),
  method: optional(matcherSchema(), 'HTTP method.'),
}));

/** All named facts must match, and `not` must not. */
export interface Match extends ObjectOf<ReturnType<typeof facts>> {
  not?: Match;
}

const goneFact = (message: string, allowed: string) => () => ({ code: 'other_form', message, allowed });

export const matchSchema = once((): Schema<Match> =>
  named('Match', 'conditions on facts', '{ phone: "+1415*" }', () =>
    object(
      { ...facts(), not: optional(matchSchema(), 'These conditions do not all hold.') },
      {
        old: {
          to: 'phone',
          endpoint: 'url',
          path: 'url',
          attempt: 'attempts',
          account: goneFact('A rule belongs to one account, so it does not match its key.', 'a scenario for each key'),
          any: goneFact('A match has one set of conditions.', 'a rule for each of them'),
          after: goneFact('A rule does not depend on another one.', 'pick with per: phone, or active'),
          customer: goneFact(
            'A rule does not depend on what the customer did before.',
            'pick with per: phone, or active',
          ),
          batch: goneFact('Each entry of a batch is matched like a single send.', 'phone and the other fields'),
          variables: goneFact('The variables are part of the text.', 'text: "*Ada*"'),
          length: goneFact('The length of a code cannot be matched.', 'phone, template'),
        },
      },
    ),
  ),
);

const wordsAt = (hook: Hook) => [...FACTS_BY_HOOK[hook], 'not'];

/** Reports fields that do not exist at the hook: a rule with one could never match. */
export function checkFacts(hook: Hook, match: RawMap): void {
  const words = wordsAt(hook);
  for (const key of match.keys) {
    const inner = match.mapAt(key);
    if (key === 'not' && inner) checkFacts(hook, inner);
    else if (!words.includes(key) && key in facts()) {
      const message = `"${key}" cannot be matched at ${hook}.`;
      match.reportKey(key, { code: 'fact_not_known_here', message, found: key, words });
    }
  }
}

/** The facts of each hook, for the printed schema of a rule. */
export const factsByHook = {
  allOf: HOOKS.map((hook) => ({
    if: { required: ['when'], properties: { when: { const: hook } } },
    then: { properties: { match: { propertyNames: { enum: wordsAt(hook) } } } },
  })),
};
