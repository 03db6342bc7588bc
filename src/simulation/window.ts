/** The 24-hour window of a customer, as it is shown and as it applies to a send without a matching rule. */
import type { Account } from '../account/account.js';
import { windowOpen, type WindowState } from '../domain/customer.js';
import { magicWindow } from '../scenario/engine/magic-numbers.js';

/**
 * Returns the window that the customer's messages or a command have set. Without these, the magic number decides, then the
 * scenario's `defaults.window`. The window of the number that is always closed never opens.
 */
export function windowOf({ store, script, clock }: Account, phone: string): WindowState {
  const magic = magicWindow(phone);
  if (magic === 'closed') return { open: false, closesAtMs: null };
  const customer = store.tables.customers.get(phone);
  const closesAtMs = customer?.windowClosesAtMs ?? null;
  if (closesAtMs !== null) return { open: windowOpen(customer, clock.now()), closesAtMs };
  return { open: magic === 'open' || script.windowOpenByDefault, closesAtMs: null };
}
