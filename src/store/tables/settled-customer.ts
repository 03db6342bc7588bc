/** A customer who never wrote is a number and its place: all others are kept as they are. */
import type { Customer } from '../../domain/customer.js';
import { Settled, type Settling } from './settled.js';
import { SharedParts } from './shared-parts.js';

const text = '[]';
const untouched = { profileName: null, lastInboundAtMs: null, windowClosesAtMs: null } as const;

export function customerSettling(newest: number): Settling<Customer> {
  const unpack = ({ id, seq }: Settled): Customer => ({ id, seq, ...untouched });
  return {
    newest,
    parts: new SharedParts(),
    isSettled: (customer) => {
      for (const field in customer) {
        if (field !== 'id' && field !== 'seq' && customer[field as keyof Customer] !== null) return false;
      }
      return true;
    },
    pack: ({ id, seq }) => new Settled(id, seq, text),
    unpack,
    keysOf: unpack,
  };
}
