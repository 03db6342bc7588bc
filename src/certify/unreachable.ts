/** Two ways of not being there: from the start, which is the caller's mistake, and since a check, which is a finding. */
import type { Outcome, SendErrorCode } from '../webhooks/sender/sender-types.js';

/** Nobody was there to be tested: the command line names the wrong place, or nothing runs yet. */
export class ReceiverUnreachable extends Error {
  override readonly name = 'ReceiverUnreachable';
  constructor(outcome: Outcome) {
    super([outcome.error?.message, hintFor(outcome)].filter((part) => part !== undefined).join(' '));
  }
}

/** It was there, and answers nothing since then. */
export class ReceiverGone extends Error {
  override readonly name = 'ReceiverGone';
  constructor(culprit: string) {
    super(`not played: the receiver answers nothing at all since "${culprit}"`);
  }
}

const CODES: readonly (SendErrorCode | undefined)[] = [
  'connection_refused',
  'host_unreachable',
  'dns_not_found',
  'dns_failed',
  'tls_error',
  'public_destination_blocked',
  'sink_not_available',
  'invalid_url',
  'invalid_request',
];

/** A receiver that takes the connection and then hangs up or keeps silent is reachable, and fails its checks. */
export function isUnreachable({ status, error }: Outcome): boolean {
  if (status !== null) return false;
  const neverConnected = error?.code === 'timeout' && /still (?:looking up|connecting)/.test(error.message);
  return neverConnected || CODES.includes(error?.code);
}

/** The sender's hints speak of registering and of starting a sandbox; here there is a command line instead. */
function hintFor({ error, hint }: Outcome): string | undefined {
  switch (error?.code) {
    case 'public_destination_blocked':
      return 'Checks send forgeries and broken bodies. To send them there all the same, add --allow-public-webhooks.';
    case 'sink_not_available':
      return 'A sink exists inside a running sandbox only: name the URL of your own receiver.';
    case 'timeout':
      return 'Is the address right, and does a firewall let this machine through?';
    case 'dns_not_found':
    case 'dns_failed':
      return 'Check the spelling, or name the address itself, such as http://127.0.0.1:3000/hook.';
    default:
      return hint;
  }
}
