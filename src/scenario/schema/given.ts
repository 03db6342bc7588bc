/** Records that exist before the first call. */
import { misplaced, object, optional, required } from './mappings.js';
import { type ValueOf } from './kit.js';
import { anyText, integer, list, oneOf, text } from './values.js';
import { oldWords } from './old-words.js';
import { eventTypes, templateCategories, templateStatuses } from '../../domain/words.js';
import { placeholderProblem } from '../../domain/template.js';
import { WINDOWS } from './actions.js';
import { languageTag, meantWords } from './words.js';
import { PAST, pastFault } from './durations.js';
import { alias, phoneFault, templateName, url, webhookSecret } from './texts.js';

const languageCode = text({
  allowed: 'a BCP-47 language code such as en or pt_BR',
  example: 'en',
  pattern: /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}$/,
  meant: languageTag,
});

const body = text({
  allowed: 'a template body with placeholders numbered from {{1}} without gaps',
  example: '"Order {{1}} left"',
  maxLength: 1024,
  check(value) {
    const fault = placeholderProblem(value);
    if (fault === null) return undefined;
    return { code: 'bad_placeholder', message: `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.` };
  },
});

const template = object(
  {
    name: required(templateName, 'Name, unique in the account.'),
    category: required(oneOf(templateCategories), 'Category.'),
    language: required(languageCode, 'Language.'),
    body: optional(body, 'Body. Optional for an authentication template.'),
    status: optional(oneOf(templateStatuses), 'Status at activation. Default: approved.'),
    because: optional(
      anyText('Reads like marketing.', { maxLength: 1000 }),
      'With status rejected: reason of the reviewer.',
    ),
  },
  {
    name: 'GivenTemplate',
    allowed: 'a template',
    example: '{ name: order_shipped, category: utility, language: en, body: "Order {{1}} left" }',
    old: oldWords.givenTemplate,
    check: ({ body: text, category, because, status }) => [
      text === undefined &&
        category !== 'authentication' && {
          code: 'missing_key',
          message: `A template of category ${category} needs a body.`,
          allowed: 'a body',
          example: 'body: "Order {{1}} left"',
        },
      because !== undefined &&
        status !== 'rejected' &&
        misplaced('because', 'because needs status: rejected.', 'status: rejected'),
    ],
  },
);
export type GivenTemplate = ValueOf<typeof template>;

/** The fictional numbers that are not magic numbers. */
const MOST_CUSTOMERS = 4_000;

/** `+1202555…`: the numbers of an area code. */
export const NUMBER_RANGE = /^\+1([2-9]\d\d)(?:555(?:01)?)?(?:…|\.{3}|\*)$/;

/** The first of several numbers. */
const RANGE_START = /^\+1[2-9]\d\d55501\d\d$/;

const givenPhone = text({
  allowed: 'a phone number in E.164 form such as +12025550150',
  example: '"+12025550150"',
  check: (value) => (NUMBER_RANGE.test(value) ? undefined : phoneFault(value)),
  keywords: { pattern: '^\\+([1-9][0-9]{6,14}|1[2-9][0-9]{2}(555(01)?)?(…|\\.{3}|\\*))$' },
});

const givenWindow = text({
  allowed: 'open, closed, or a time before activation such as -23h59m',
  example: 'open',
  meant: (value) => meantWords(value, WINDOWS)[0] ?? `-${value}`,
  check: (value) => ((WINDOWS as readonly string[]).includes(value) ? undefined : pastFault(value)),
  keywords: { pattern: `^(?:open|closed|${PAST})$` },
});

const customer = object(
  {
    phone: optional(
      givenPhone,
      'Number of the customer. With count, where the numbers start: +1202555… for those of an area code, or the first number.',
    ),
    count: optional(
      integer(1, 1000, 100),
      'Number of customers to create, with fictional numbers that are not magic numbers.',
    ),
    name: optional(anyText('Ada', { maxLength: 256 }), 'Profile name. Default: generated.'),
    window: optional(
      givenWindow,
      'open: the customer wrote at activation; closed: the customer never wrote; a time such as -23h59m: the customer wrote then, and the window closes 24 hours later.',
    ),
  },
  {
    name: 'GivenCustomer',
    allowed: 'a customer',
    example: '{ phone: "+12025550150" }',
    short: ['phone'],
    old: oldWords.givenCustomer,
    check({ phone: number, count }) {
      const isRange = number !== undefined && NUMBER_RANGE.test(number);
      return [
        number === undefined &&
          count === undefined && {
            code: 'missing_key',
            message: 'A customer needs phone; several customers need count.',
            allowed: 'phone or count',
            example: 'phone: "+12025550150"',
          },
        isRange &&
          count === undefined && {
            at: 'phone',
            code: 'bad_phone',
            message: 'This phone is a range of numbers, so it needs count.',
            allowed: 'one number, or a range with count',
          },
        number !== undefined &&
          count !== undefined &&
          !isRange &&
          !RANGE_START.test(number) && {
            at: 'phone',
            code: 'bad_phone',
            message: 'With count, the numbers must be North American numbers reserved for fiction.',
            allowed: '+1202555…, or a number such as +12025550110',
          },
      ];
    },
  },
);
/** One customer, or with `count` many of them. */
export type GivenCustomer = ValueOf<typeof customer>;

const endpointUrl = url(/^https:\/\//, {
  allowed: 'an https:// URL',
  example: '"https://sink.sandbox/app"',
  message: 'The URL of an endpoint must be an https:// URL.',
  meant: (value) => value.replace('http://', 'https://'),
});

const webhook = object(
  {
    alias: required(alias, 'Name of the endpoint in rules, timeline and expectations.'),
    url: required(endpointUrl, 'URL of the endpoint. https://sink.sandbox/NAME is the built-in sink.'),
    events: required(list(oneOf(eventTypes), { min: 1, max: 4 }), 'Event types of the subscription.'),
    secret: optional(webhookSecret, 'Signing secret. Default: generated.'),
    status: optional(oneOf(['active', 'paused']), 'Status at activation. Default: active.'),
  },
  {
    name: 'GivenWebhook',
    allowed: 'an endpoint',
    example: '{ alias: app, url: "https://sink.sandbox/app", events: [message.status] }',
  },
);
export type GivenWebhook = ValueOf<typeof webhook>;

export const givenSchema = object(
  {
    templates: optional(list(template, { max: 500, unique: 'name' }), 'Templates of the account.'),
    customers: optional(list(customer, { max: 1000, unique: 'phone' }), 'Customers and their windows.'),
    webhooks: optional(list(webhook, { max: 50, unique: 'alias' }), 'Registered endpoints.'),
  },
  {
    name: 'Given',
    allowed: 'records that exist at activation',
    example: '{ customers: [] }',
    check: ({ customers = [] }) =>
      customers.reduce((sum, { count = 0 }) => sum + count, 0) > MOST_CUSTOMERS && {
        at: 'customers',
        code: 'out_of_range',
        message: 'There are not enough fictional numbers that are not magic numbers.',
        allowed: `at most ${MOST_CUSTOMERS} by count`,
      },
  },
);
export type Given = ValueOf<typeof givenSchema>;
