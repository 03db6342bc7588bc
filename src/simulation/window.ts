/** A customer's 24-hour window, as it is shown and as it applies to a send that no rule decides. */
import type { Account } from '../account/account.js';
import { windowOpen, type WindowState } from '../domain/customer.js';
import { magicWindow } from '../scenario/engine/magic-numbers.js';

/**
 * What the customer wrote, or a command said, decides. Of whoever has done neither, the magic number does, then the
 * scenario's `defaults.window`; only a number whose window is closed whatever happens stays so.
 */
export function windowOf({ store, script, clock }: Account, phone: string): WindowState {
  const magic = magicWindow(phone);
  if (magic === 'closed') return { open: false, closesAtMs: null };
  const customer = store.tables.customers.get(phone);
  const closesAtMs = customer?.windowClosesAtMs ?? null;
  if (closesAtMs !== null) return { open: windowOpen(customer, clock.now()), closesAtMs };
  return { open: magic === 'open' || script.windowOpenByDefault, closesAtMs: null };
}
