/** Conditions on facts, as written in a scenario. */
import type { CustomerMatcher, Match, Matcher, TextMatcher, VariablesMatcher } from '../language/rules.js';
import { compileRegex, RegexError } from '../engine/regex.js';
import { isRegexText } from '../engine/matchers.js';
import { FACT_NAMES, FACTS_BY_HOOK, type Hook } from '../language/hooks.js';
import type { YamlNode } from './yaml-node.js';
import type { Report } from './problems.js';
import { anyText, bool, integer, text } from './scalars.js';
import { byKind, named, type Shape } from './shape.js';
import { record } from './record.js';
import { list, object, optional } from './structures.js';

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
    return {
      code: 'bad_regex',
      message: error.message,
      allowed: 'a regular expression without back references and lookarounds',
    };
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
      const literal = isRegexText(value, { slashesArePlain });
      return literal === undefined
        ? slipOf(value, slashesArePlain, place)
        : regexFault(literal.source, literal.flags, place);
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

const conditions: Shape<TextMatcher> = named(
  'Conditions',
  'conditions such as { contains: refund }',
  '{ contains: refund }',
  () =>
    object<TextMatcher>(
      {
        contains: optional(anyText('refund'), 'It contains these characters; case matters.'),
        equals: optional(
          anyText('refund', { minLength: 0 }),
          'It is exactly this text; * and / are ordinary characters.',
        ),
        matches: optional(regexText, 'A regular expression matches part of it. It is evaluated in linear time.'),
        missing: optional(bool, 'true: it is absent or empty; false: it is present.'),
        not: optional(matcherShape, 'This matcher does not match.'),
        any: optional(list(matcherShape, { min: 1, max: 100 }), 'One of these matchers matches.'),
        min: optional(bound, 'It is a number of at least this.'),
        max: optional(bound, 'It is a number of at most this.'),
      },
      { atLeastOne: ['contains', 'equals', 'matches', 'missing', 'not', 'any', 'min', 'max'] },
    ),
);

const bound: Shape<number> = integer(-1_000_000_000, 1_000_000_000, 1);

function matcherNamed(name: string, slashesArePlain: boolean): Shape<Matcher> {
  const shape: Shape<Matcher> = named(
    name,
    'a text, a * glob, a /regex/, a list of them, or conditions',
    '"promo_*"',
    () =>
      byKind<string, Matcher[], TextMatcher>({
        scalar: matcherText(slashesArePlain),
        list: list(shape, { min: 1, max: 100 }),
        map: conditions,
      }),
  );
  return shape;
}

export const matcherShape = matcherNamed('Matcher', false);
export const pathShape = matcherNamed('PathMatcher', true);

const byNumber: Shape<VariablesMatcher> = record(matcherShape, {
  max: 100,
  example: '"1"',
  pattern: '^[1-9][0-9]{0,2}$',
  check(key, place) {
    if (/^[1-9]\d{0,2}$/.test(key)) return true;
    place.report({ code: 'unknown_key', message: 'A variable is named by its number.', allowed: '"1" for {{1}}' });
    return false;
  },
});

/** Keys that are numbers are conditions on single variables; anything else is a matcher for all of them. */
const variables: Shape<Matcher | VariablesMatcher> = {
  allowed: `${matcherShape.allowed}, or conditions by number such as { "1": Ada }`,
  example: '{ "1": Ada }',
  read: (place) => (place.entries().some(({ key }) => /^\d+$/.test(key)) ? byNumber : matcherShape).read(place),
  print: (definitions) => ({ anyOf: [matcherShape.print(definitions), byNumber.print(definitions)] }),
};

const customer: Shape<CustomerMatcher> = named(
  'CustomerMatcher',
  'what the customer has done before',
  '{ said: /\\bSTOP\\b/i }',
  () =>
    object<CustomerMatcher>(
      {
        said: optional(
          matcherShape,
          'Text that the customer wrote or button that they tapped; matches if one of their messages does.',
        ),
        last_status: optional(matcherShape, 'Status of the latest message or code to the customer.'),
        sends: optional(matcherShape, 'Number of messages and codes accepted for the customer before this call.'),
      },
      { atLeastOne: ['said', 'last_status', 'sends'] },
    ),
);

export const matchShape: Shape<Match> = named('Match', 'conditions on facts', '{ to: "+1415*" }', () =>
  object<Match>({
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
    variables: optional(
      variables,
      'Template variables: a matcher that one of them must match, or conditions by number.',
    ),
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
    not: optional(matchShape, 'These conditions do not all hold.'),
    any: optional(list(matchShape, { min: 1, max: 100 }), 'One of these sets of conditions holds.'),
  }),
);

export const ruleIdShape = text({
  allowed: 'a name of letters, digits, - _ . : and []',
  example: 'third-one-fails',
  pattern: /^[\w.:[\]-]{1,100}$/,
  meant: (value) => value.trim().replace(/[^\w.:[\]-]+/g, '-'),
});

/** Reports fields that do not exist at the hook: a rule with one could never match. */
export function checkFacts(hook: Hook, place: YamlNode): void {
  const words = ['account', ...FACTS_BY_HOOK[hook], 'not', 'any'];
  for (const { key, keyPlace, value } of place.entries()) {
    if (key === 'not') checkFacts(hook, value);
    else if (key === 'any') value.items().forEach((item) => checkFacts(hook, item));
    else if (!words.includes(key) && FACT_NAMES.some((name) => name === key)) {
      const message = `"${key}" cannot be matched at ${hook}.`;
      keyPlace.report({ code: 'fact_not_known_here', message, found: key, words });
    }
  }
}

/** The printed schema of a match under one hook. */
export function factNamesSchema(hook: Hook): { propertyNames: { enum: string[] } } {
  return { propertyNames: { enum: ['account', ...FACTS_BY_HOOK[hook], 'not', 'any'] } };
}
