/** A customer as it must look when it comes from outside. */
import type { Customer } from '../../../domain/customer.js';
import { type Fields, instant, orNull, text } from '../check.js';
import { rowFields } from './parts.js';

export const customerFields: Fields<Customer> = {
  ...rowFields,
  profileName: orNull(text),
  lastInboundAtMs: orNull(instant),
  windowClosesAtMs: orNull(instant),
};
