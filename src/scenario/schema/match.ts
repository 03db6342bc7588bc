/** Conditions on facts, as written in a scenario. */
import { object, once, optional, part, type ObjectOf, type RawMap, type Schema, type ValueOf } from './kit.js';
import { anyText, bool, integer, text } from './scalars.js';
import { byKind, list, named, oneOfSchemas, record } from './collections.js';
import { compileRegex, isRegexText, RegexError } from './regex.js';
import { FACTS_BY_HOOK, HOOKS, type Hook } from './hooks.js';
import { oldConditions } from './old-conditions.js';
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
    allowed: `${value}/ for a regular expression, { contains: ${JSON.stringify(value)} } for a text that begins with a slash`,
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
const simple = once(() => ({
  contains: optional(anyText('refund'), 'It contains these characters; case matters.'),
  missing: optional(bool(), 'true: it is absent or empty; false: it is present.'),
}));
const bounds = once(() => ({
  min: optional(bound(), 'It is a number of at least this.'),
  max: optional(bound(), 'It is a number of at most this.'),
}));

/** A condition; if there are several keys, all must hold. */
export interface TextMatcher extends ObjectOf<ReturnType<typeof simple> & ReturnType<typeof bounds>> {
  not?: Matcher;
  any?: Matcher[];
}

/** Exact text, `*` glob, `/regex/flags`, a list (any of them), or an object of conditions. Scalars keep their source text. */
export type Matcher = string | Matcher[] | TextMatcher;

const conditions = once((): Schema<TextMatcher> =>
  named('Conditions', 'conditions such as { contains: refund }', '{ contains: refund }', () =>
    object(
      {
        ...simple(),
        not: optional(matcherSchema(), 'This matcher does not match.'),
        any: optional(list(matcherSchema(), { min: 1, max: 100 }), 'One of these matchers matches.'),
        ...bounds(),
      },
      {
        atLeastOne: ['contains', 'missing', 'not', 'any', 'min', 'max'],
        ...oldConditions,
      },
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
export const pathSchema = once(() => matcherNamed('PathMatcher', true));

const NUMBER_OF_VARIABLE = /^[1-9][0-9]{0,2}$/;
/** Conditions by number of a variable (`"1"` for `{{1}}`). */
const byNumber = once(() =>
  record(matcherSchema(), {
    max: 100,
    example: '"1"',
    pattern: NUMBER_OF_VARIABLE.source,
    check: (key) =>
      NUMBER_OF_VARIABLE.test(key)
        ? undefined
        : { code: 'unknown_key', message: 'A variable is named by its number.', allowed: '"1" for {{1}}' },
  }),
);
export type VariablesMatcher = ValueOf<typeof byNumber>;

/** Keys that are numbers are conditions on single variables; anything else is a matcher for all of them. */
const variables = once(() =>
  oneOfSchemas<Matcher | VariablesMatcher>(
    [matcherSchema(), byNumber()],
    (_kind, keys) => (keys.some((key) => /^\d+$/.test(key)) ? byNumber() : matcherSchema()),
    'a text, a * glob, a /regex/, a list of them, or conditions, or conditions by number such as { "1": Ada }',
  ),
);

const customer = part('CustomerMatcher', 'what the customer has done before', '{ said: /\\bSTOP\\b/i }', () =>
  object(
    {
      said: optional(
        matcherSchema(),
        'Text that the customer wrote or button that they tapped; matches if one of their messages does.',
      ),
      last_status: optional(matcherSchema(), 'Status of the latest message or code to the customer.'),
      sends: optional(matcherSchema(), 'Number of messages and codes accepted for the customer before this call.'),
    },
    { atLeastOne: ['said', 'last_status', 'sends'] },
  ),
);
export type CustomerMatcher = ValueOf<typeof customer>;

export const ruleIdSchema = once(() =>
  text({
    allowed: 'a name of letters, digits, - _ . : and []',
    example: 'third-one-fails',
    pattern: /^[\w.:[\]-]{1,100}$/,
    meant: (value) => value.trim().replace(/[^\w.:[\]-]+/g, '-'),
  }),
);

const facts = once(() => ({
  account: optional(matcherSchema(), 'The API key.'),
  to: optional(matcherSchema(), "The customer's number, for messages in both directions."),
  type: optional(
    matcherSchema(),
    'Message type: text, image, document, interactive, template. webhook.deliver: the type of the message.',
  ),
  template: optional(matcherSchema(), 'Template name.'),
  language: optional(matcherSchema(), 'Template language.'),
  category: optional(matcherSchema(), 'Template category.'),
  text: optional(matcherSchema(), 'Text of the message, or body of the template with its variables filled in.'),
  variables: optional(
    variables(),
    'Template variables: a matcher that one of them must match, or conditions by number.',
  ),
  batch: optional(bool(), 'Whether the call has an array of recipients.'),
  length: optional(matcherSchema(), 'Length of the requested code.'),
  name: optional(matcherSchema(), 'Template name.'),
  body: optional(matcherSchema(), 'Template body, with its placeholders.'),
  url: optional(matcherSchema(), 'URL to register.'),
  events: optional(matcherSchema(), 'Event types of the subscription; matches if one of them does.'),
  event: optional(matcherSchema(), 'Event type, such as message.status.'),
  status: optional(
    matcherSchema(),
    'message.get, webhook.deliver: message status. template.get: template status. api.any: HTTP status of the response, also as 4xx.',
  ),
  endpoint: optional(matcherSchema(), 'URL of the endpoint.'),
  alias: optional(matcherSchema(), 'Alias of the endpoint in given.webhooks.'),
  attempt: optional(matcherSchema(), 'Number of the attempt, from 1.'),
  method: optional(matcherSchema(), 'HTTP method.'),
  path: optional(pathSchema(), 'Path of the call, such as /v1/messages.'),
  customer: optional(customer(), 'History of the customer since the activation.'),
  after: optional(ruleIdSchema(), 'Id of a rule that applied to this customer in an earlier call.'),
}));

/** All named facts must match, `not` must not, and at least one of `any` must. */
export interface Match extends ObjectOf<ReturnType<typeof facts>> {
  not?: Match;
  any?: Match[];
}

export const matchSchema = once((): Schema<Match> =>
  named('Match', 'conditions on facts', '{ to: "+1415*" }', () =>
    object({
      ...facts(),
      not: optional(matchSchema(), 'These conditions do not all hold.'),
      any: optional(list(matchSchema(), { min: 1, max: 100 }), 'One of these sets of conditions holds.'),
    }),
  ),
);

const wordsAt = (hook: Hook) => ['account', ...FACTS_BY_HOOK[hook], 'not', 'any'];

/** Reports fields that do not exist at the hook: a rule with one could never match. */
export function checkFacts(hook: Hook, match: RawMap): void {
  const words = wordsAt(hook);
  for (const key of match.keys) {
    const inner = match.mapAt(key);
    if (key === 'not' && inner) checkFacts(hook, inner);
    else if (key === 'any') for (const one of match.listAt(key)) checkFacts(hook, one);
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
