/** A start without a dialect file loads no more than this. */
import type { Dialect } from './description.js';
import { timestampForms } from './words.js';

export const defaultDialect: Dialect = {
  http: { created: 200, deleted: { status: 204 } },
  errors: { envelope: 'nested', status: {}, codes: {} },
  otp: { lock: 'next_call' },
  webhooks: {
    extra_headers: true,
    headers: {
      event: 'X-Service-Event',
      id: 'X-Service-Event-Id',
      delivery: 'X-Service-Delivery',
      attempt: 'X-Service-Attempt',
    },
    resume: 'new',
  },
  events: {},
  shapes: { 'ids.timestamp': timestampForms[0] },
};
