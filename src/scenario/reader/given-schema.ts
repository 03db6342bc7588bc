/** Records that exist before the first call, the clock, and the defaults. */
import {
  type ClockSetting,
  type Defaults,
  type GivenTemplate,
  TEMPLATE_CATEGORIES,
  TEMPLATE_STATUSES,
  type GivenCustomer,
  type GivenWebhook,
  type Given,
} from '../language/scenario.js';
import { jsonObject } from './json.js';
import { lifecycleShape } from './lifecycle-schema.js';
import { reviewShape, windowShape } from './slot-shapes.js';
import { anyText, integer, oneOf, positiveNumber, text } from './scalars.js';
import { named, type Shape } from './shape.js';
import { languageTag } from './synonyms.js';
import { list, object, optional, required } from './structures.js';
import { alias, past, phone, quietTime, templateName, phoneFault } from './texts.js';
import { MOST_CUSTOMERS, NUMBER_RANGE, RANGE_START } from './many-customers.js';
import { eventTypes } from '../../domain/event.js';
import { parseInstant } from '../../domain/instant.js';
import { placeholderProblem } from '../../domain/template.js';

const instant = text({
  allowed: 'a time in UTC such as 2026-03-01T09:00:00Z',
  example: '"2026-03-01T09:00:00Z"',
  check: (value) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/.test(value) && parseInstant(value) !== null
      ? undefined
      : { code: 'bad_instant', message: 'This is not a date and time in UTC.' },
  keywords: { pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$' },
});

export const clockShape: Shape<ClockSetting> = named('Clock', 'the clock', '{ mode: frozen }', () =>
  object<ClockSetting>(
    {
      mode: required(
        oneOf(['real', 'frozen', 'scaled', 'auto']),
        'real: follows the machine; frozen: moves by command only; scaled: runs faster; auto: jumps to the next progress job, timeline step or retry when no request is in progress.',
      ),
      start: optional(instant, 'Account time at activation. Default: the current time.'),
      scale: optional(positiveNumber(1_000_000, 60), 'With mode scaled: account seconds per real second.'),
      quiet_real: optional(
        quietTime,
        'With mode auto: real time without a call of the application after which the clock jumps to the next job of any kind. Until then, time passes as on the machine.',
      ),
    },
    {
      short: ['mode'],
      check(value, place, placeOf) {
        if (value.mode === 'scaled' && value.scale === undefined) {
          const message = 'mode: scaled needs scale.';
          place.report({ code: 'missing_key', message, allowed: 'a scale', example: '{ mode: scaled, scale: 60 }' });
        }
        if (value.mode !== 'scaled' && value.scale !== undefined) {
          const message = 'scale needs mode: scaled.';
          placeOf('scale').report({ code: 'misplaced_key', message, allowed: '{ mode: scaled, scale: 60 }' });
        }
        if (value.mode !== 'auto' && value.quiet_real !== undefined) {
          const message = 'quiet_real needs mode: auto.';
          placeOf('quiet_real').report({
            code: 'misplaced_key',
            message,
            allowed: '{ mode: auto, quiet_real: 150ms }',
          });
        }
      },
    },
  ),
);

export const defaultsShape: Shape<Defaults> = named(
  'Defaults',
  'what happens if no rule applies',
  '{ lifecycle: happy }',
  () =>
    object<Defaults>({
      lifecycle: optional(lifecycleShape, 'Statuses that the channel reports about a message. Default: happy.'),
      review: optional(reviewShape, 'Decision of the platform owner on a template.'),
      window: optional(windowShape, '24-hour window of a customer who never wrote. Default: closed.'),
    }),
);

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
    return fault === null
      ? undefined
      : { code: 'bad_placeholder', message: `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.` };
  },
});

const givenTemplate: Shape<GivenTemplate> = named(
  'GivenTemplate',
  'a template',
  '{ name: order_shipped, category: utility, language: en, body: "Order {{1}} left" }',
  () =>
    object<GivenTemplate>(
      {
        name: required(templateName, 'Name, unique in the account.'),
        category: required(oneOf(TEMPLATE_CATEGORIES), 'Category.'),
        language: required(languageCode, 'Language.'),
        body: optional(body, 'Body. Optional for an authentication template.'),
        buttons: optional(list(jsonObject, { max: 10 }), 'Buttons, stored and shown as written.'),
        status: optional(oneOf(TEMPLATE_STATUSES), 'Status at activation. Default: approved.'),
        rejection_reason: optional(
          anyText('Reads like marketing.', { maxLength: 1000 }),
          'With status rejected: reason of the reviewer.',
        ),
      },
      {
        check(value, place, placeOf) {
          if (value.body === undefined && value.category !== 'authentication') {
            const message = `A template of category ${value.category} needs a body.`;
            place.report({ code: 'missing_key', message, allowed: 'a body', example: 'body: "Order {{1}} left"' });
          }
          if (value.rejection_reason !== undefined && value.status !== 'rejected') {
            const message = 'rejection_reason needs status: rejected.';
            placeOf('rejection_reason').report({ code: 'misplaced_key', message, allowed: 'status: rejected' });
          }
        },
      },
    ),
);

const givenPhone = text({
  allowed: phone.allowed,
  example: phone.example,
  check: (value) => (NUMBER_RANGE.test(value) ? undefined : phoneFault(value)),
  keywords: { pattern: '^\\+([1-9][0-9]{6,14}|1[2-9][0-9]{2}(555(01)?)?(…|\\.{3}|\\*))$' },
});

const givenCustomer: Shape<GivenCustomer> = named('GivenCustomer', 'a customer', '{ phone: "+12025550150" }', () =>
  object<GivenCustomer>(
    {
      phone: optional(
        givenPhone,
        'Number of the customer. With count, where the numbers start: +1202555… for those of an area code, or the first number.',
      ),
      count: optional(
        integer(1, 1000, 100),
        'Number of customers to create, with fictional numbers that are not magic numbers.',
      ),
      profile_name: optional(anyText('Ada', { maxLength: 256 }), 'Profile name. Default: generated.'),
      last_inbound: optional(
        past,
        'When the customer last wrote, before activation. The window closes 24 hours later.',
      ),
      window: optional(windowShape, 'open: the customer wrote at activation; closed: the customer never wrote.'),
    },
    {
      short: ['phone'],
      check(value, place, placeOf) {
        if (value.phone === undefined && value.count === undefined) {
          const message = 'A customer needs phone; several customers need count.';
          place.report({ code: 'missing_key', message, allowed: 'phone or count', example: 'phone: "+12025550150"' });
        }
        const isRange = value.phone !== undefined && NUMBER_RANGE.test(value.phone);
        if (isRange && value.count === undefined) {
          const message = 'This phone is a range of numbers, so it needs count.';
          placeOf('phone').report({ code: 'bad_phone', message, allowed: 'one number, or a range with count' });
        }
        if (value.count !== undefined && !isRange && value.phone !== undefined && !RANGE_START.test(value.phone)) {
          const message = 'With count, the numbers must be North American numbers reserved for fiction.';
          placeOf('phone').report({
            code: 'bad_phone',
            message,
            allowed: '+1202555…, or a number such as +12025550110',
          });
        }
        if (value.last_inbound === undefined || value.window === undefined) return;
        const message = 'window and last_inbound exclude each other, because the window follows from last_inbound.';
        placeOf('window').report({ code: 'not_exactly_one', message, allowed: 'last_inbound or window' });
      },
    },
  ),
);

const givenWebhook: Shape<GivenWebhook> = named(
  'GivenWebhook',
  'an endpoint',
  '{ alias: app, url: "https://sink.sandbox/app", events: [message.status] }',
  () =>
    object<GivenWebhook>({
      alias: required(alias, 'Name of the endpoint in rules, timeline and expectations.'),
      url: required(
        text({
          allowed: 'an https:// URL',
          example: '"https://sink.sandbox/app"',
          maxLength: 2048,
          check(value) {
            if (value.startsWith('https://') && URL.canParse(value)) return undefined;
            const fault = { code: 'bad_url', message: 'The URL of an endpoint must be an https:// URL.' };
            return value.startsWith('http://') ? { ...fault, suggestion: value.replace('http://', 'https://') } : fault;
          },
          keywords: { pattern: '^https://' },
        }),
        'URL of the endpoint. https://sink.sandbox/NAME is the built-in sink.',
      ),
      events: required(list(oneOf(eventTypes), { min: 1, max: 4 }), 'Event types of the subscription.'),
      secret: optional(
        text({
          allowed: 'a secret that begins with whsec_',
          example: 'whsec_fixed_for_tests',
          pattern: /^whsec_[\x21-\x7e]{1,200}$/,
        }),
        'Signing secret. Default: generated.',
      ),
      status: optional(oneOf(['active', 'paused']), 'Status at activation. Default: active.'),
    }),
);

export const givenShape: Shape<Given> = named('Given', 'records that exist at activation', '{ customers: [] }', () =>
  object<Given>(
    {
      templates: optional(
        list(givenTemplate, { max: 500, partly: true, unique: { key: 'name', of: ({ name }) => name } }),
        'Templates of the account.',
      ),
      customers: optional(
        list(givenCustomer, { max: 1000, partly: true, unique: { key: 'phone', of: ({ phone: number }) => number } }),
        'Customers and their windows.',
      ),
      webhooks: optional(
        list(givenWebhook, { max: 50, partly: true, unique: { key: 'alias', of: ({ alias: name }) => name } }),
        'Registered endpoints.',
      ),
    },
    {
      partly: true,
      check({ customers = [] }, _place, placeOf) {
        if (customers.reduce((sum, { count = 0 }) => sum + count, 0) <= MOST_CUSTOMERS) return;
        const message = 'There are not enough fictional numbers that are not magic numbers.';
        placeOf('customers').report({ code: 'out_of_range', message, allowed: `at most ${MOST_CUSTOMERS} by count` });
      },
    },
  ),
);
