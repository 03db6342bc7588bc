/** What a correct application leaves behind in each shipped scenario, and what careless ones do. */
import type { EvidenceRecord } from '../../src/scenario/engine/evidence.js';
import type { ExpectSubject } from '../../src/scenario/schema/expect.js';

export type Run = Partial<Record<ExpectSubject, readonly EvidenceRecord[]>>;

export interface Exercise {
  readonly correct: Run;
  /** Together they break every expectation of the scenario at least once. */
  readonly careless: readonly Run[];
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const send = (status: number, rest: EvidenceRecord = {}): EvidenceRecord => ({
  operation: 'message.send',
  method: 'POST',
  path: '/v1/messages',
  status,
  ...rest,
});
/** A send that is refused, and comes again so many seconds later. */
const again = (gapSeconds: number): EvidenceRecord[] =>
  [0, gapSeconds].map((second, index) =>
    send(index === 0 ? 429 : 200, {
      request: { body: { to: '+12025550114', text: 'a' } },
      response: { headers: index === 0 ? { 'Retry-After': '2' } : {} },
      at: new Date(second * 1000).toISOString(),
    }),
  );
const call = (operation: string, status = 200, rest: EvidenceRecord = {}): EvidenceRecord => ({
  operation,
  status,
  ...rest,
});
const out = (to: string, rest: EvidenceRecord = {}): EvidenceRecord => ({
  direction: 'outbound',
  to,
  type: 'template',
  ...rest,
});
const twice = (record: EvidenceRecord) => [record, record];
const notApproved = { error: 'template_not_approved' };

export const exercises: Readonly<Record<string, Exercise>> = {
  'happy-path': {
    correct: { requests: [send(200)], attempts: [{ status: 200 }], messages: [out('+12025550113', { text: 'Hi' })] },
    careless: [
      {},
      {
        requests: [send(400, { error: 'validation_error' })],
        attempts: [{ status: 500 }],
        messages: twice(out('+12025550113')),
      },
    ],
  },
  'template-rejected': {
    correct: {
      templates: [{ name: 'promo_a', status: 'rejected' }],
      deliveries: [{ event: 'template.status', state: 'delivered' }],
      requests: [call('template.create')],
    },
    careless: [{}, { requests: [send(400, notApproved), call('template.create', 409, { error: 'template_exists' })] }],
  },
  'template-paused-midway': {
    correct: {
      messages: [out('+1', { template: 'promo_spring' }), out('+2', { template: 'promo_spring' })],
      requests: [
        send(200, { template: 'promo_spring' }),
        send(400, { template: 'promo_spring', ...notApproved }),
        send(200, { template: 'promo_spring' }),
      ],
    },
    careless: [
      {},
      {
        requests: times(50, () => send(400, { template: 'promo_spring', ...notApproved })),
        messages: twice(out('+1', { template: 'promo_spring' })),
      },
    ],
  },
  'recipient-blocked': {
    correct: {
      messages: [out('+12025550110'), out('+12025550111', { template: 'promo_spring' }), out('+12025550112')],
      deliveries: [{ event: 'message.status', message_status: 'failed', state: 'delivered' }],
    },
    careless: [
      {},
      { messages: [...twice(out('+12025550110')), ...twice(out('+12025550111', { template: 'promo_spring' }))] },
    ],
  },
  'closed-window': {
    correct: {
      requests: [send(400, { error: 'send_failed' })],
      messages: [out('+12025550154'), out('+12025550154', { type: 'text', text: 'Yes' })],
    },
    careless: [{ requests: times(5, () => send(400, { error: 'send_failed' })) }],
  },
  'webhook-down-24h': {
    correct: {
      attempts: times(27, (number) => ({ rule: 'receiver-down', number, status: 503 })),
      webhooks: [{ url: 'https://app.test/h', status: 'active' }],
      requests: [
        call('webhook.create'),
        call('webhook.list', 200, { response: { body: { webhooks: [{ status: 'paused' }] } } }),
        call('webhook.create'),
        call('message.get'),
      ],
    },
    careless: [{ webhooks: [{ url: 'https://app.test/h', status: 'paused' }], requests: [call('webhook.create')] }],
  },
  'webhook-chaos': {
    correct: {
      attempts: [
        { rule: 'forged', status: 401 },
        { rule: 'unsigned', status: 400 },
        { rule: 'twice', status: 200 },
        { rule: 'unheard-of', status: 204 },
        { status: 200 },
      ],
      messages: [out('+12025550118', { text: 'a' }), out('+12025550119', { text: 'a' })],
    },
    careless: [
      {
        attempts: [
          { rule: 'forged', status: 200 },
          { rule: 'unheard-of', status: 500 },
        ],
        messages: twice(out('+12025550118')),
      },
      {},
    ],
  },
  'flaky-api': {
    correct: { requests: [...again(2), send(503), send(200)], messages: [out('+12025550117')] },
    careless: [
      { requests: times(40, () => send(429)) },
      { requests: again(1) },
      { messages: twice(out('+12025550117')) },
    ],
  },
  'batch-partial-failure': {
    correct: {
      requests: [
        send(200, {
          batch: true,
          to: ['+14155550190', '+14155550191', '+14155550192', '+14155550193', '+14155550194'],
        }),
      ],
      messages: ['+14155550190', '+14155550192', '+14155550194'].map((to) => out(to)),
    },
    careless: [
      {},
      {
        requests: times(2, () => send(200, { batch: true, to: ['+14155550190', '+14155550191'] })),
        messages: [...twice(out('+14155550190')), ...twice(out('+14155550194'))],
      },
    ],
  },
  'otp-trouble': {
    correct: {
      requests: [call('otp.verify', 410, { error: 'otp_expired' }), call('otp.send'), call('otp.verify')],
      otps: ['+12025550115', '+12025550116'].map((to) => ({ to, state: 'verified' })),
    },
    careless: [
      {
        requests: ['otp_max_attempts', 'otp_expired', 'validation_error'].flatMap((error) =>
          twice(call('otp.verify', 400, { error })),
        ),
      },
    ],
  },
  'rate-limited': {
    correct: {
      requests: [...times(25, () => send(200)), ...again(2)],
      messages: times(25, (n) => out(`+1202555${n}`)),
    },
    careless: [{ requests: again(0) }, { requests: times(99, () => send(429)), messages: twice(out('+12025550114')) }],
  },
  'outage-then-flood': {
    correct: {
      attempts: [...times(3, () => ({ rule: 'outage', status: null })), { status: 200 }],
      messages: ['3', '4', '5'].map((last) => out(`+1202555011${last}`, { type: 'text', text: 'On its way.' })),
    },
    careless: [
      {},
      { attempts: [{ status: 500 }], messages: times(6, () => out('+12025550113', { type: 'text', text: 'Hi' })) },
    ],
  },
  'slow-review': {
    correct: {
      // Pending at +19h and used after +24h: as above, one list stands for both instants.
      templates: [{ name: 'a', status: 'pending' }],
      requests: [call('template.create'), ...times(20, () => call('template.get'))],
      deliveries: [{ event: 'template.status', state: 'delivered' }],
      messages: [out('+1')],
    },
    careless: [
      { requests: [send(400, notApproved), ...times(500, () => call('template.get'))] },
      { messages: twice(out('+1')) },
    ],
  },
};
