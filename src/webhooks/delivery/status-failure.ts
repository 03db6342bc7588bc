import { STATUS_CODES } from 'node:http';
import { SendFailure } from '../sender/send-failure.js';

/**
 * What is wrong with an answer of this status, or null for a 2xx: anything else is a failed delivery, redirects
 * included, because those are not followed (interface document §6; contract §2).
 */
export function statusFailure(status: number, location: string | undefined): SendFailure | null {
  if (status >= 200 && status <= 299) return null;
  const reason = STATUS_CODES[status];
  const answered = reason === undefined ? `${status}` : `${status} ${reason}`;
  if (redirects.has(status)) {
    const where = location === undefined ? '' : ` to ${location}`;
    return new SendFailure(
      'redirect_not_followed',
      `The receiver answered ${answered}${where}; redirects are never followed.`,
      'Register the final URL, or answer 2xx at this one. Frameworks often redirect over a slash at the end of the path.',
    );
  }
  return new SendFailure('non_2xx', `The receiver answered ${answered}; only a 2xx counts as received.`, HINTS[status]);
}

/** What names another place to go to: 304 is in the same range and does not. */
const redirects = new Set([300, 301, 302, 303, 307, 308]);

const SIGNATURE_HINT =
  'If the receiver refused the signature: compute it over the raw body, with the whole secret, whsec_ included.';

const HINTS: Readonly<Partial<Record<number, string>>> = {
  304: 'It answers a conditional GET, and a webhook is a POST; look for a cache or a proxy in front of the receiver.',
  400: SIGNATURE_HINT,
  401: SIGNATURE_HINT,
  403: SIGNATURE_HINT,
  404: 'Nothing is served at this path; webhooks are POSTed to the exact URL that was registered.',
  405: 'The path exists, but does not take POST.',
};
