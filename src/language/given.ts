import { z } from 'zod';
import { eventTypes, languageForm, placeholderProblem, templateCategories, templateStatuses } from '../domain/words.js';
import { anyText, integer, list, misplaced, object, optional, text } from './kit.js';
import { alias, givenWindow, meantPhone, phoneFault, templateName, url, webhookSecret } from './texts.js';
import { languageTag } from './words.js';

const languageCode = text({
  allowed: 'a BCP-47 language code such as en or pt_BR',
  pattern: languageForm,
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
    name: templateName.describe('Name, unique in the account.'),
    category: z.enum(templateCategories).describe('Category.'),
    language: languageCode.describe('Language.'),
    body: optional(body, 'Body. Optional for an authentication template.'),
    status: optional(z.enum(templateStatuses), 'Status at activation. Default: `approved`.'),
    because: optional(anyText('Reads like marketing.', 1000), 'Only if the status is `rejected`: the reason.'),
  },
  {
    name: 'GivenTemplate',
    allowed: 'a template',
    example: '{ name: order_shipped, category: utility, language: en, body: "Order {{1}} left" }',
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
export type GivenTemplate = z.output<typeof template>;

/** The fictional numbers that are not magic numbers. */
const MOST_CUSTOMERS = 4_000;

/** `+1202555…`: the numbers of an area code. */
export const NUMBER_RANGE = /^\+1([2-9]\d\d)(?:555(?:01)?)?(?:…|\.{3}|\*)$/;

const RANGE_START = /^\+1[2-9]\d\d55501\d\d$/;

const givenPhone = text({
  allowed: 'a phone number in E.164 form such as +12025550150',
  check: (value) => (NUMBER_RANGE.test(value) ? undefined : phoneFault(value)),
  meant: meantPhone,
  keywords: { pattern: '^\\+([1-9][0-9]{6,14}|1[2-9][0-9]{2}(555(01)?)?(…|\\.{3}|\\*))$' },
});

const customer = object(
  {
    phone: optional(
      givenPhone,
      'Phone number of the customer. With the key `count`: number of the first customer. Three dots leave the rest to the sandbox: `+1202555...` is the first fictional number in the area code 202.',
    ),
    count: optional(integer(1, 1000, 100), 'Number of customers to create.'),
    name: optional(anyText('Ada', 256), 'Profile name. Default: generated.'),
    window: optional(
      givenWindow,
      'Session window. `-23h59m`: the customer wrote 23 h 59 min before activation, so the window closes one minute after activation.',
    ),
  },
  {
    name: 'GivenCustomer',
    allowed: 'a customer',
    short: ['phone'],
    check({ phone: number, count }) {
      if (number === undefined) {
        const message = 'A customer needs phone; several customers need count.';
        const known = { allowed: 'phone or count', example: 'phone: "+12025550150"' };
        return count === undefined && { code: 'missing_key', message, ...known };
      }
      const fault = (message: string, allowed: string) =>
        ({ at: 'phone', code: 'bad_phone', message, allowed }) as const;
      const isRange = NUMBER_RANGE.test(number);
      if (count === undefined) {
        const message = 'This phone is a range of numbers, so it needs count.';
        return isRange && fault(message, 'one number, or a range with count');
      }
      const message = 'With count, the numbers must be North American numbers reserved for fiction.';
      return !isRange && !RANGE_START.test(number) && fault(message, '+1202555…, or a number such as +12025550110');
    },
  },
);
export type GivenCustomer = z.output<typeof customer>;

const endpointUrl = url(/^https:\/\//, 'The URL of an endpoint must be an https:// URL.', {
  allowed: 'an https:// URL',
  example: '"https://sink.sandbox/app"',
  meant: (value) => value.replace('http://', 'https://'),
});

const webhook = object(
  {
    alias: alias.describe('Name of the endpoint in rules, timeline and expectations.'),
    url: endpointUrl.describe('URL of the endpoint, such as the built-in sink `https://sink.sandbox/NAME`.'),
    events: list(z.enum(eventTypes), 1, 4).describe('Event types of the subscription.'),
    secret: optional(webhookSecret, 'Signing secret. Default: generated.'),
    status: optional(z.enum(['active', 'paused']), 'Status at activation. Default: `active`.'),
  },
  { name: 'GivenWebhook', allowed: 'an endpoint' },
);
export type GivenWebhook = z.output<typeof webhook>;

export const givenSchema = object(
  {
    templates: optional(list(template, 0, 500, 'name'), 'Templates of the account.'),
    customers: optional(list(customer, 0, 1000, 'phone'), 'Customers and their windows.'),
    webhooks: optional(list(webhook, 0, 50, 'alias'), 'Registered endpoints.'),
  },
  {
    name: 'Given',
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
export type Given = z.output<typeof givenSchema>;
