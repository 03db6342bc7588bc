/**
 * Everything that a run can exercise, and how to exercise it.
 */
import { errorTable } from '../domain/errors.js';
import { eventTypes } from '../domain/words.js';

export interface CoverageItem {
  readonly group: string;
  readonly name: string;
  /** The scenario, magic number or call that exercises it. */
  readonly hint: string;
}

/** The operations of the API plane with the statuses in their document. */
export interface DocumentedOperations {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'message state': {
    accepted: 'any send',
    sent: 'any send',
    delivered: 'advance the clock by 300ms after a send',
    read: 'advance the clock by 1s after a send',
    failed: 'send to a number ending in 555 0120',
  },
  'message move': {
    'accepted → sent': 'any send',
    'sent → delivered': 'advance the clock by 300ms after a send',
    'delivered → read': 'advance the clock by 1s after a send',
    'accepted → failed': 'send to a number ending in 555 0120',
    'sent → failed': 'send to a number ending in 555 0121, or scenario recipient-blocked',
    'delivered → failed': 'POST /_sandbox/messages/{id}/status after delivery',
  },
  'template state': {
    pending: 'submit a template',
    approved: 'submit a template and advance the clock by 1s',
    rejected: 'submit a template whose name ends in _reject, or scenario template-rejected',
    paused: 'scenario template-paused-midway',
    deleted: 'POST /_sandbox/templates/{id}/status {"status":"deleted"}',
  },
  'endpoint state': {
    active: 'register a webhook',
    paused: 'scenario webhook-down-24h',
    'active again': 'register the URL of a paused webhook again',
  },
  'OTP state': {
    sent: 'POST /v1/otp/send',
    'wrong code': 'verify with a wrong code',
    verified: 'verify with the code of GET /_sandbox/otps',
    locked: 'a number ending in 555 0162 locks after one wrong code; scenario otp-trouble',
    expired: 'a number ending in 555 0161 expires after 30s; scenario otp-trouble',
  },
  'retry step': {
    'after 1 min': 'a receiver that responds with 500, and advance 1m',
    'after 5 min': 'a receiver that responds with 500, and advance 6m',
    'after 30 min': 'a receiver that responds with 500, and advance 36m',
    hourly: 'a receiver that responds with 500, and advance 96m; scenario webhook-down-24h',
  },
  'webhook answer': {
    '2xx': 'a receiver that accepts',
    '3xx': 'a rule with webhook: { receiver: { simulate: 302 } }',
    '4xx': 'a rule with webhook: { receiver: { simulate: 400 } }, or a receiver that rejects bad signatures',
    '5xx': 'a rule with webhook: { receiver: { simulate: 500 } }',
    timeout: 'a rule with webhook: { receiver: { simulate: timeout } }',
    'no connection': 'a rule with webhook: { receiver: { simulate: refused } }',
  },
};

const eventHints: Readonly<Record<(typeof eventTypes)[number], string>> = {
  'message.received': 'POST /_sandbox/inbound',
  'message.status': 'any send',
  'otp.verified': 'verify a code',
  'template.status': 'submit a template and advance the clock by 1s',
};

export function coverageCatalogue(document: DocumentedOperations): CoverageItem[] {
  const stated = Object.entries(groups).flatMap(([group, names]) =>
    Object.entries(names).map(([name, hint]) => ({ group, name, hint })),
  );
  const events = eventTypes.map((name) => ({ group: 'event type', name, hint: eventHints[name] }));
  return [...operationItems(document), ...errorItems(), ...stated, ...events];
}

/** Statuses that only a broken disk, a broken client or an error of the sandbox causes. */
const notExercised = new Set(['403', '405', '408', '417', '431', '500', '503', 'default']);
const codesNotExercised = new Set([
  'forbidden',
  'request_timeout',
  'expectation_failed',
  'limit_reached',
  'headers_too_large',
]);

/** What a correct client never causes. */
const callerErrors = new Set(['401', '413', '415']);
const callerErrorCodes = new Set(['unauthorized', 'method_not_allowed', 'payload_too_large', 'unsupported_media_type']);

function operationItems({ paths }: DocumentedOperations): CoverageItem[] {
  return Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap((operation) => {
      const { operationId, responses } = operation as { operationId?: string; responses?: Record<string, unknown> };
      if (operationId === undefined || responses === undefined) return [];
      // Depending on the dialect, a creation responds with 200 or 201, and a deletion with 204 or 200: one of the two
      // is enough.
      const statuses = Object.keys(responses).filter(
        (status) => !notExercised.has(status) && !callerErrors.has(status),
      );
      const success = statuses.filter((status) => status.startsWith('2'));
      const refusals = statuses.filter((status) => !status.startsWith('2'));
      return [
        ...(success.length > 0 ? [{ group: 'operation', name: `${operationId} 2xx`, hint: 'call it' }] : []),
        ...refusals.map((status) => ({ group: 'outcome', name: `${operationId} ${status}`, hint: hintOf(status) })),
      ];
    }),
  );
}

function hintOf(status: string): string {
  if (status === '429') return 'X-Sandbox-Prefer: status=429, or scenario rate-limited';
  return `send an invalid request, or set X-Sandbox-Prefer: status=${status}`;
}

function errorItems(): CoverageItem[] {
  return Object.entries(errorTable)
    .filter(([code, { plane }]) => plane !== 'control' && !codesNotExercised.has(code) && !callerErrorCodes.has(code))
    .map(([code, { title }]) => ({
      group: 'error code',
      name: code,
      hint: `${title} Or X-Sandbox-Prefer: code=${code}`,
    }));
}
