/**
 * Conversations with customers: free text while the 24-hour window is open, otherwise a template that asks whether the
 * shop may write. The text waits for their reply.
 */
const ASK_AGAIN_MS = 24 * 3_600_000;

/**
 * @param {object} parts
 * @param {import('./store.js').Store} parts.store
 * @param {import('./clock.js').Clock} parts.clock
 * @param {import('./customers.js').Customers} parts.customers
 * @param {() => import('./outbox.js').Outbox} parts.outbox asked for late: the two know each other
 */
export function createConversation({ store, clock, customers, outbox }) {
  /** @param {string} phone @param {string} text */
  function say(phone, text) {
    if (customers.isWindowOpen(phone)) outbox().add({ to: [phone], text });
    else park(phone, text);
  }

  /** @param {string} phone @param {string} text */
  function park(phone, text) {
    const customer = customers.get(phone);
    customer.parked.push(text);
    if (customer.askedMs !== null && customer.askedMs + ASK_AGAIN_MS > clock.now()) return;
    customer.askedMs = clock.now();
    outbox().add({ to: [phone], template: 'may_we_write', variables: [customer.name ?? 'there'] });
  }

  /** @param {string} phone */
  function answer(phone) {
    const latest = [...store.orders.values()].findLast((order) => order.phone === phone);
    if (!latest) return 'Thank you for writing. Somebody of the shop will answer soon.';
    const where = latest.state === 'shipped' ? 'is on its way' : 'is being packed';
    return `Thank you for writing. Your order ${latest.number} ${where}.`;
  }

  return {
    say,
    park,
    /** @param {Record<string, any>} data of message.received @param {number} createdMs */
    hear({ from, text, interactive, profile_name: name, timestamp }, createdMs) {
      if (typeof from !== 'string') return;
      const customer = customers.get(from);
      // The window opened when the customer wrote. If the event arrives late, the window is shorter or already closed.
      customers.wrote(from, Date.parse(timestamp) || createdMs);
      customer.name ??= typeof name === 'string' ? name : null;
      customer.askedMs = null;
      const words = String(text ?? Object(interactive).title ?? '').trim();
      if (/^(stop|unsubscribe)[.!]?$/i.test(words)) customer.stopped = true;
      else if (/^start[.!]?$/i.test(words)) customer.stopped = false;
      if (customer.stopped) return;
      const parked = customer.parked.splice(0);
      for (const line of parked.length > 0 ? parked : [answer(from)]) say(from, line);
    },
  };
}
