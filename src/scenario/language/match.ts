/** Conditions on facts, as written in a scenario. */
import { anyText, bool, integer, text } from './scalars.js';
import { byKind, named, oneOfShapes, type Shape, type ValueOf } from './shape.js';
import { compileRegex, isRegexText, RegexError } from './regex.js';
import { list, record } from './collections.js';
import { object, optional, type ObjectOf } from './object.js';
import { FACTS_BY_HOOK, HOOKS, type Hook } from './hooks.js';
import type { Report } from './problems.js';
import type { YamlNode } from './yaml-node.js';

/** Limit for all expressions of a document together, in instructions of their programs, which take time to compile. */
const MAX_PROGRAMS = 10_000;

function regexFault(source: string, flags: string, { reading }: YamlNode): Report | undefined {
  if (reading.programs > MAX_PROGRAMS) {
    return {
      code: 'too_many_expressions',
      message: 'The regular expressions up to this one are too large together. Use contains, equals or a * glob.',
      allowed: `expressions of at most ${MAX_PROGRAMS} instructions together, with repetitions expanded`,
      once: true,
    };
  }
  try {
    reading.programs += compileRegex(source, flags).size;
    return undefined;
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    const allowed = 'a regular expression without back references and lookarounds';
    return { code: 'bad_regex', message: error.message, allowed };
  }
}

const PHONES = /^\+\d{7,15}(?:[\s;]+\+\d{7,15})+$/;

/** Returns the error in a text that would silently match nothing. */
function slipOf(value: string, slashesArePlain: boolean, place: YamlNode): Report | undefined {
  if (PHONES.test(value)) {
    const numbers = value.split(/[\s;]+/).join(', ');
    return {
      code: 'comma_missing',
      message: 'Several numbers need commas between them; together they match no recipient.',
      allowed: 'a list of numbers such as [+12025550113, +12025550114]',
      replacement: place.path.endsWith(']') && !place.reading.source.isJson() ? numbers : `[${numbers}]`,
    };
  }
  if (slashesArePlain || !/^\/[^/]+$/.test(value)) return undefined;
  return {
    code: 'bad_regex',
    message:
      'The regular expression has no closing slash. In braces, put an expression that contains a comma in quotes.',
    allowed: `${value}/ for a regular expression, { equals: ${JSON.stringify(value)} } for a text that begins with a slash`,
    example: `${value}/i`,
  };
}

const matcherText = (slashesArePlain: boolean) =>
  text({
    allowed: 'a text, a * glob or a /regex/flags',
    example: '"promo_*"',
    minLength: 0,
    maxLength: 1024,
    check(value, place) {
      const regex = isRegexText(value, { slashesArePlain });
      return regex ? regexFault(regex.source, regex.flags, place) : slipOf(value, slashesArePlain, place);
    },
  });

const regexText = text({
  allowed: 'a regular expression, with or without slashes',
  example: '"^refund"',
  maxLength: 1024,
  check(value, place) {
    const { source, flags } = isRegexText(value) ?? { source: value, flags: '' };
    return regexFault(source, flags, place);
  },
});

const bound = integer(-1_000_000_000, 1_000_000_000, 1);
const simple = {
  contains: optional(anyText('refund'), 'It contains these characters; case matters.'),
  equals: optional(anyText('refund', { minLength: 0 }), 'It is exactly this text; * and / are ordinary characters.'),
  matches: optional(regexText, 'A regular expression matches part of it. It is evaluated in linear time.'),
  missing: optional(bool, 'true: it is absent or empty; false: it is present.'),
};
const bounds = {
  min: optional(bound, 'It is a number of at least this.'),
  max: optional(bound, 'It is a number of at most this.'),
};

/** A condition; if there are several keys, all must hold. */
export interface TextMatcher extends ObjectOf<typeof simple & typeof bounds> {
  not?: Matcher;
  any?: Matcher[];
}

/** Exact text, `*` glob, `/regex/flags`, a list (any of them), or an object of conditions. Scalars keep their source text. */
export type Matcher = string | Matcher[] | TextMatcher;

const conditions: Shape<TextMatcher> = named(
  'Conditions',
  'conditions such as { contains: refund }',
  '{ contains: refund }',
  () =>
    object(
      {
        ...simple,
        not: optional(matcherShape, 'This matcher does not match.'),
        any: optional(list(matcherShape, { min: 1, max: 100 }), 'One of these matchers matches.'),
        ...bounds,
      },
      { atLeastOne: ['contains', 'equals', 'matches', 'missing', 'not', 'any', 'min', 'max'] },
    ),
);

function matcherNamed(name: string, slashesArePlain: boolean): Shape<Matcher> {
  const allowed = 'a text, a * glob, a /regex/, a list of them, or conditions';
  const shape: Shape<Matcher> = named(name, allowed, '"promo_*"', () =>
    byKind({
      scalar: matcherText(slashesArePlain),
      list: list(shape, { min: 1, max: 100 }),
      map: conditions,
    }),
  );
  return shape;
}

export const matcherShape = matcherNamed('Matcher', false);
export const pathShape = matcherNamed('PathMatcher', true);

const NUMBER_OF_VARIABLE = /^[1-9][0-9]{0,2}$/;
/** Conditions by number of a variable (`"1"` for `{{1}}`). */
const byNumber = record(matcherShape, {
  max: 100,
  example: '"1"',
  pattern: NUMBER_OF_VARIABLE.source,
  check: (key) =>
    NUMBER_OF_VARIABLE.test(key)
      ? undefined
      : { code: 'unknown_key', message: 'A variable is named by its number.', allowed: '"1" for {{1}}' },
});
export type VariablesMatcher = ValueOf<typeof byNumber>;

/** Keys that are numbers are conditions on single variables; anything else is a matcher for all of them. */
const variables = oneOfShapes<Matcher | VariablesMatcher>(
  [matcherShape, byNumber],
  (place) => (place.entries().some(({ key }) => /^\d+$/.test(key)) ? byNumber : matcherShape),
  `${matcherShape.allowed}, or conditions by number such as { "1": Ada }`,
  '{ "1": Ada }',
);

const customer = object(
  {
    said: optional(
      matcherShape,
      'Text that the customer wrote or button that they tapped; matches if one of their messages does.',
    ),
    last_status: optional(matcherShape, 'Status of the latest message or code to the customer.'),
    sends: optional(matcherShape, 'Number of messages and codes accepted for the customer before this call.'),
  },
  { atLeastOne: ['said', 'last_status', 'sends'] },
).named('CustomerMatcher', 'what the customer has done before', '{ said: /\\bSTOP\\b/i }');
export type CustomerMatcher = ValueOf<typeof customer>;

export const ruleIdShape = text({
  allowed: 'a name of letters, digits, - _ . : and []',
  example: 'third-one-fails',
  pattern: /^[\w.:[\]-]{1,100}$/,
  meant: (value) => value.trim().replace(/[^\w.:[\]-]+/g, '-'),
});

const facts = {
  account: optional(matcherShape, 'The API key.'),
  to: optional(matcherShape, "The customer's number, for messages in both directions."),
  type: optional(
    matcherShape,
    'Message type: text, image, document, interactive, template. webhook.deliver: the type of the message.',
  ),
  template: optional(matcherShape, 'Template name.'),
  language: optional(matcherShape, 'Template language.'),
  category: optional(matcherShape, 'Template category.'),
  text: optional(matcherShape, 'Text of the message, or body of the template with its variables filled in.'),
  variables: optional(variables, 'Template variables: a matcher that one of them must match, or conditions by number.'),
  batch: optional(bool, 'Whether the call has an array of recipients.'),
  length: optional(matcherShape, 'Length of the requested code.'),
  name: optional(matcherShape, 'Template name.'),
  body: optional(matcherShape, 'Template body, with its placeholders.'),
  url: optional(matcherShape, 'URL to register.'),
  events: optional(matcherShape, 'Event types of the subscription; matches if one of them does.'),
  event: optional(matcherShape, 'Event type, such as message.status.'),
  status: optional(
    matcherShape,
    'message.get, webhook.deliver: message status. template.get: template status. api.any: HTTP status of the response, also as 4xx.',
  ),
  endpoint: optional(matcherShape, 'URL of the endpoint.'),
  alias: optional(matcherShape, 'Alias of the endpoint in given.webhooks.'),
  attempt: optional(matcherShape, 'Number of the attempt, from 1.'),
  method: optional(matcherShape, 'HTTP method.'),
  path: optional(pathShape, 'Path of the call, such as /v1/messages.'),
  customer: optional(customer, 'History of the customer since the activation.'),
  after: optional(ruleIdShape, 'Id of a rule that applied to this customer in an earlier call.'),
};

/** All named facts must match, `not` must not, and at least one of `any` must. */
export interface Match extends ObjectOf<typeof facts> {
  not?: Match;
  any?: Match[];
}

export const matchShape: Shape<Match> = named('Match', 'conditions on facts', '{ to: "+1415*" }', () =>
  object({
    ...facts,
    not: optional(matchShape, 'These conditions do not all hold.'),
    any: optional(list(matchShape, { min: 1, max: 100 }), 'One of these sets of conditions holds.'),
  }),
);

const wordsAt = (hook: Hook) => ['account', ...FACTS_BY_HOOK[hook], 'not', 'any'];

/** Reports fields that do not exist at the hook: a rule with one could never match. */
export function checkFacts(hook: Hook, place: YamlNode): void {
  const words = wordsAt(hook);
  for (const { key, keyPlace, value } of place.entries()) {
    if (key === 'not') checkFacts(hook, value);
    else if (key === 'any') value.items().forEach((item) => checkFacts(hook, item));
    else if (!words.includes(key) && key in facts) {
      const message = `"${key}" cannot be matched at ${hook}.`;
      keyPlace.report({ code: 'fact_not_known_here', message, found: key, words });
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
