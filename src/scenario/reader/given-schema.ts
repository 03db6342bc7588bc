/** What exists before the first call, and how time and untouched things behave. */
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
  allowed: 'an instant in UTC such as 2026-03-01T09:00:00Z',
  example: '"2026-03-01T09:00:00Z"',
  check: (value) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/.test(value) && parseInstant(value) !== null
      ? undefined
      : { code: 'bad_instant', message: 'This is no instant in UTC that the calendar has.' },
  keywords: { pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$' },
});

export const clockShape: Shape<ClockSetting> = named('Clock', 'how time runs', '{ mode: frozen }', () =>
  object<ClockSetting>(
    {
      mode: required(
        oneOf(['real', 'frozen', 'scaled', 'auto']),
        'real follows the machine; frozen moves by command alone; scaled runs faster; auto jumps to the next progress, timeline step or retry when nothing is in flight.',
      ),
      start: optional(instant, 'Account time at activation. Default: the time it is.'),
      scale: optional(positiveNumber(1_000_000, 60), 'With mode scaled: account seconds per real second.'),
      quiet_real: optional(
        quietTime,
        'With mode auto: time passes as on the machine, and jumps to the next job of any kind after so long a quiet of the application.',
      ),
    },
    {
      short: ['mode'],
      check(value, place, placeOf) {
        if (value.mode === 'scaled' && value.scale === undefined) {
          const message = 'A scaled clock needs a scale.';
          place.report({ code: 'missing_key', message, allowed: 'a scale', example: '{ mode: scaled, scale: 60 }' });
        }
        if (value.mode !== 'scaled' && value.scale !== undefined) {
          const message = 'A scale belongs to the mode scaled.';
          placeOf('scale').report({ code: 'misplaced_key', message, allowed: '{ mode: scaled, scale: 60 }' });
        }
        if (value.mode !== 'auto' && value.quiet_real !== undefined) {
          const message = 'A quiet time belongs to the mode auto.';
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
  'what happens when no rule decides',
  '{ lifecycle: happy }',
  () =>
    object<Defaults>({
      lifecycle: optional(lifecycleShape, 'What the channel reports about a message. Default happy.'),
      review: optional(reviewShape, 'What the platform owner decides about a template.'),
      window: optional(windowShape, 'Whether the window of a customer who never wrote counts as open. Default closed.'),
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
        name: required(templateName, 'Its name, unique in the account.'),
        category: required(oneOf(TEMPLATE_CATEGORIES), 'What it is for.'),
        language: required(languageCode, 'Its language.'),
        body: optional(body, 'Its text; an authentication template may go without.'),
        buttons: optional(list(jsonObject, { max: 10 }), 'Its buttons, stored and shown as written.'),
        status: optional(oneOf(TEMPLATE_STATUSES), 'Its state from the start. Default approved.'),
        rejection_reason: optional(
          anyText('Reads like marketing.', { maxLength: 1000 }),
          'With status rejected: what the reviewer said.',
        ),
      },
      {
        check(value, place, placeOf) {
          if (value.body === undefined && value.category !== 'authentication') {
            const message = `A template of the category ${value.category} needs a body.`;
            place.report({ code: 'missing_key', message, allowed: 'a body', example: 'body: "Order {{1}} left"' });
          }
          if (value.rejection_reason !== undefined && value.status !== 'rejected') {
            const message = 'A rejection reason belongs to a rejected template.';
            placeOf('rejection_reason').report({
              code: 'misplaced_key',
              message,
              allowed: 'beside status: rejected',
            });
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
        'The number. Beside count, where the numbers begin: +1202555… for those of an area, or the first of them.',
      ),
      count: optional(
        integer(1, 1000, 100),
        'So many customers, with numbers reserved for fiction that have no behaviour of their own.',
      ),
      profile_name: optional(anyText('Ada', { maxLength: 256 }), 'The name shown in the profile. Default: made up.'),
      last_inbound: optional(past, 'When this customer last wrote, before activation: the window closes 24 h after.'),
      window: optional(windowShape, 'open: the customer wrote at activation; closed: never.'),
    },
    {
      short: ['phone'],
      check(value, place, placeOf) {
        if (value.phone === undefined && value.count === undefined) {
          const message = 'A customer needs a phone; many of them need a count.';
          place.report({ code: 'missing_key', message, allowed: 'phone or count', example: 'phone: "+12025550150"' });
        }
        const isRange = value.phone !== undefined && NUMBER_RANGE.test(value.phone);
        if (isRange && value.count === undefined) {
          const message = 'This stands for many numbers, so a count belongs beside it.';
          placeOf('phone').report({ code: 'bad_phone', message, allowed: 'one number, or a count beside it' });
        }
        if (value.count !== undefined && !isRange && value.phone !== undefined && !RANGE_START.test(value.phone)) {
          const message = 'Many customers have numbers of North America that are reserved for fiction.';
          placeOf('phone').report({
            code: 'bad_phone',
            message,
            allowed: '+1202555…, or a number such as +12025550110',
          });
        }
        if (value.last_inbound === undefined || value.window === undefined) return;
        const message = 'The window follows from last_inbound; only one of the two can stand.';
        placeOf('window').report({ code: 'not_exactly_one', message, allowed: 'last_inbound or window' });
      },
    },
  ),
);

const givenWebhook: Shape<GivenWebhook> = named(
  'GivenWebhook',
  'a registered webhook',
  '{ alias: app, url: "https://sink.sandbox/app", events: [message.status] }',
  () =>
    object<GivenWebhook>({
      alias: required(alias, 'What rules, timeline and expectations call it.'),
      url: required(
        text({
          allowed: 'an https:// URL',
          example: '"https://sink.sandbox/app"',
          maxLength: 2048,
          check(value) {
            if (value.startsWith('https://') && URL.canParse(value)) return undefined;
            const fault = { code: 'bad_url', message: 'Webhooks are registered with an https:// URL.' };
            return value.startsWith('http://') ? { ...fault, suggestion: value.replace('http://', 'https://') } : fault;
          },
          keywords: { pattern: '^https://' },
        }),
        'Where it is delivered to; https://sink.sandbox/NAME lands in the built-in sink.',
      ),
      events: required(list(oneOf(eventTypes), { min: 1, max: 4 }), 'The event kinds it subscribed to.'),
      secret: optional(
        text({
          allowed: 'a secret that begins with whsec_',
          example: 'whsec_fixed_for_tests',
          pattern: /^whsec_[\x21-\x7e]{1,200}$/,
        }),
        'Its signing secret. Default: made up.',
      ),
      status: optional(oneOf(['active', 'paused']), 'Default active.'),
    }),
);

export const givenShape: Shape<Given> = named('Given', 'what exists from the start', '{ customers: [] }', () =>
  object<Given>(
    {
      templates: optional(
        list(givenTemplate, { max: 500, partly: true, unique: { key: 'name', of: ({ name }) => name } }),
        'Templates.',
      ),
      customers: optional(
        list(givenCustomer, { max: 1000, partly: true, unique: { key: 'phone', of: ({ phone: number }) => number } }),
        'Customers and their windows.',
      ),
      webhooks: optional(
        list(givenWebhook, { max: 50, partly: true, unique: { key: 'alias', of: ({ alias: name }) => name } }),
        'Registered webhooks.',
      ),
    },
    {
      partly: true,
      check({ customers = [] }, _place, placeOf) {
        if (customers.reduce((sum, { count = 0 }) => sum + count, 0) <= MOST_CUSTOMERS) return;
        const message = 'There are not so many numbers of fiction without a behaviour of their own.';
        placeOf('customers').report({ code: 'out_of_range', message, allowed: `at most ${MOST_CUSTOMERS} by count` });
      },
    },
  ),
);
