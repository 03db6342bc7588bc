/** A customer's avatar: initials on a colour. */
import type { Customer } from '../../core/index.js';
import { hueOf, initials } from './conversations.js';

export function Avatar({ customer }: { readonly customer: Pick<Customer, 'profile_name' | 'phone'> }) {
  return (
    <span class={`avatar hue-${hueOf(customer.phone)}`} aria-hidden="true">
      {initials(customer)}
    </span>
  );
}
