/** How an attempt is signed: rightly, or in the ways that a receiver must refuse (contract §5, slot `webhook`). */
import type { DeliveryFault } from '../../../domain/delivery.js';
import { sign } from '../../sender/signature.js';

/** The header's value, or null when it is left out. */
export function signatureHeader(mode: DeliveryFault['signature'], secret: string, body: string): string | null {
  switch (mode) {
    case 'valid':
      return sign(secret, body);
    case 'wrong_secret':
      return sign(`${secret}-not-yours`, body);
    case 'malformed':
      // A digest that is no hex and has no scheme: what a careless comparison trips over.
      return sign(secret, body)
        .replace('sha256=', '')
        .replace(/[0-9a-f]{8}$/, '-zzzzzz-');
    case 'missing':
      return null;
  }
}
