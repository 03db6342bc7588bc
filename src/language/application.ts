import { z } from 'zod';
import { about, type Schema } from './about.js';
import { NOW } from './calls.js';
import type { Report } from './problems.js';
import { anyJson, type JsonValue, anyText, choice, list, object, optional, record, text } from './kit.js';
import { plainDuration, url } from './texts.js';

const answered = text({
  allowed: 'an HTTP status, or a class such as 2xx',
  pattern: /^[1-5](?:\d\d|xx)$/,
});
const statuses = choice<string | string[]>([answered, list(answered, 1, 10)], {
  allowed: 'an HTTP status, a class such as 2xx, or a list of them',
  example: '2xx',
});

const STATE_PATH = /^\//;
const allowedPath = 'a path of the application such as /orders/42, or a value in its JSON such as /orders/42#status';

const statePath = text({ allowed: allowedPath, example: '/orders/42', maxLength: 2048, pattern: STATE_PATH });

const partOfState = object(
  {
    url: statePath.describe('Path of the application, such as `/orders`.'),
    not: list(anyText('attempts'), 1, 100).describe(
      'Names of fields that are left out of the comparison, wherever they occur in the JSON.',
    ),
  },
  { name: 'PartOfState', example: '{ url: /orders, not: [attempts] }' },
);

export const stateRead = choice<string | z.output<typeof partOfState>>([statePath, partOfState], {
  allowed: `${allowedPath}; or { url: /orders, not: [attempts] }`,
  example: '/orders/42',
});

const stateValue = about<Schema<JsonValue>>(z.any(), { example: 'paid' });

/** Values by path. The part after `#` is a dotted path in the JSON. */
const statesAt = (path: RegExp, allowed: string) =>
  record(stateValue, {
    max: 50,
    example: '/orders/42#status',
    pattern: path.source,
    check(key) {
      if (path.test(key)) return undefined;
      const [message, found] = ['A path of the application starts with "/".', `"${key.slice(0, 80)}"`];
      return { code: 'bad_path', message, found, allowed, example: '/orders/42#status: paid' };
    },
  });

export const statesSchema = statesAt(
  /^(?:\/|stdout(?:#|$))/,
  `${allowedPath}; or stdout#sent, for the last line of a command`,
);

const address = url(/^(\/|https?:\/\/)/, 'This is neither a path such as /orders nor an absolute http(s) URL.', {
  allowed: 'a path of the application, or an http(s) URL',
  example: '/orders',
  meant: (value) => (/^\w[\w./-]*$/.test(value) ? `/${value}` : value),
});

function savedFault(name: string): Report | undefined {
  if (name !== NOW) return undefined;
  return { code: 'not_unique', message: '${now} is the time of the account.', found: name, allowed: 'another name' };
}

const http = object(
  {
    method: optional(
      z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
      'Method of the call. Default: `POST` with a body, otherwise `GET`.',
    ),
    url: address.describe('Path of the application, or a complete URL.'),
    body: optional(anyJson, 'JSON body. It can contain variables, such as `${now}`.'),
    headers: optional(record(anyText('yes'), { max: 50, example: 'X-User' }), 'Headers of the request.'),
    save: optional(
      record(anyText('id'), { max: 50, example: 'order', check: savedFault }),
      'Values to save from the JSON response. The mapping `{ order: data.id }` saves the field `data.id` as `${order}`.',
    ),
    status: optional(
      statuses,
      'Expected status of the response: `409`, `4xx` or a list. With another status, the run fails. Default: any status below 400.',
    ),
  },
  {
    name: 'HttpAction',
    allowed: 'a call of a user to the application',
    example: '{ method: POST, url: /orders, body: { number: 42 } }',
    short: ['url'],
  },
);
export type HttpAction = z.output<typeof http>;

const waiting = object({ real: plainDuration.describe('Real time, such as `2s`.') }, { short: ['real'] });

export const applicationActions = {
  http: optional(http, 'A user calls the application over HTTP. The next step usually waits for the response.'),
  restart: optional(z.literal(true), '`scenario run` and `explore` restart the application that they have started.'),
  wait: optional(waiting, 'Real time passes before the next step.'),
  until: optional(
    statesAt(STATE_PATH, allowedPath),
    'The next step waits until the application returns these values. `{ "/orders/42#status": paid }`: until the field `status` of the response from `/orders/42` is `paid`. The value `\'*\'` stands for any value that is not missing, and `{ not: pending }` for any other one than `pending`. If this takes longer than 30 s of real time, the run fails.',
  ),
};
