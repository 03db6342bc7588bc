import type { Assumption } from './assumption.js';

/** Section 3: the states of messages, templates, endpoints and codes. */
export const states: readonly Assumption[] = [
  {
    section: '3.1',
    point: 'Order of the message states',
    choice: 'accepted, sent, delivered, read; failed from any but read; read and failed are final, nothing moves back',
    reason: 'It is the order in which things happen to a message.',
  },
  {
    section: '3.1',
    point: 'Status in a lookup before the channel reported',
    choice: '`sent`, with a `wamid`',
    reason: 'Section 2.1 allows four states in a lookup, and accepted is not one of them.',
  },
  {
    section: '3.2',
    point: '`pending` and `pending_review`',
    choice: 'One state: the submission returns `pending_review`, lookups return `pending`',
    reason: 'Each section lists one of them.',
  },
  {
    section: '3.2',
    point: 'Moves into and out of `paused` and `deleted`',
    choice:
      'approved to paused and back, any to deleted, by control plane or scenario; a deleted template can still be read',
    reason: 'The interface offers no call for them, so they belong to the platform owner.',
  },
  {
    section: '3.2, 6',
    point: 'Which template moves fire `template.status`',
    choice: 'Approved and rejected only',
    reason: 'Section 6 names those two.',
  },
  {
    section: '3.3',
    point: 'What registering a URL again does',
    choice: 'Same `webhook_id`, new secret, new events, active, new failure streak; held events can be redelivered',
    reason: 'Section 3.3 calls it the way to resume; a second entry for one URL would deliver everything twice.',
    setting: 'webhooks.resume',
  },
  {
    section: '3.3, 6',
    point: 'Exact retry schedule and instant of the pause',
    choice:
      'After 1, 5 and 30 minutes, then every 60, each from the attempt before; 24 hours after its first attempt a delivery that still fails pauses its endpoint',
    reason: 'A schedule counted from attempts is exact; the document says "delivery still failing after 24 hours".',
    setting: 'webhooks.pause',
  },
  {
    section: '3.3, 6',
    point: 'Whether a redirect is a success',
    choice: 'No. Only a 2xx within 10 seconds is, and redirects are not followed',
    reason: 'The document requires 2xx; following a redirect would send a signed body to another server.',
  },
  {
    section: '3.4',
    point: 'Which call locks an OTP',
    choice:
      'Wrong codes 1 to 5 return `valid: false` with 4 to 0 remaining; after that `otp_max_attempts`, also for the correct code',
    reason: 'Five attempts are allowed, so five codes are compared.',
    setting: 'otp.lock',
  },
  {
    section: '3.4',
    point: 'A verified code, verified again',
    choice: '`not_found`: it is already used',
    reason: 'A one-time code can be used once.',
  },
  {
    section: '3.4',
    point: 'Which check comes first',
    choice: 'Unknown, already used, locked, expired (from `expires_at` on), compared',
    reason: 'An id that is no longer valid reveals nothing about the code.',
  },
];
