/**
 * Customers: whether their window is open, and whether they want messages.
 *
 * @typedef {ReturnType<typeof createCustomers>} Customers
 */

const WINDOW_MS = 24 * 3_600_000;

/** Failures of the channel after which a number gets no messages until its owner writes. */
const UNREACHABLE = new Set(['undeliverable', 'not_delivered_by_channel', 'recipient_is_sender']);

/** @param {import('./store.js').Store} store @param {import('./clock.js').Clock} clock */
export function createCustomers({ customers }, clock) {
  /** @param {string} phone */
  function get(phone) {
    let customer = customers.get(phone);
    if (!customer) {
      customer = {
        name: null,
        lastInboundMs: null,
        askedMs: null,
        parked: [],
        stopped: false,
        noMarketing: false,
        unreachable: false,
      };
      customers.set(phone, customer);
    }
    return customer;
  }

  return {
    get,
    /** @param {string} phone @param {number} atMs when they wrote, which may be long before the event arrived */
    wrote(phone, atMs) {
      const customer = get(phone);
      customer.lastInboundMs = Math.max(customer.lastInboundMs ?? 0, atMs);
      customer.unreachable = false;
    },
    /**
     * As far as the shop knows. The service decides; a rejection updates this (`windowIsClosed`).
     * @param {string} phone
     */
    isWindowOpen: (phone) => (get(phone).lastInboundMs ?? -Infinity) + WINDOW_MS > clock.now(),
    /** @param {string} phone */
    windowIsClosed(phone) {
      get(phone).lastInboundMs = null;
    },
    /**
     * A failure is final for its message; some failures also stop later messages.
     * @param {string} phone
     * @param {string} code
     */
    failed(phone, code) {
      if (UNREACHABLE.has(code)) get(phone).unreachable = true;
      if (code === 'recipient_opted_out') get(phone).noMarketing = true;
    },
    /**
     * @param {string} phone
     * @param {string} category
     * @returns {string | null} why nothing may be sent; null if it may
     */
    objection(phone, category) {
      const { unreachable, stopped, noMarketing } = get(phone);
      if (unreachable) return 'cannot be reached';
      if (stopped) return 'asked us to stop';
      return category === 'marketing' && noMarketing ? 'wants no marketing' : null;
    },
  };
}
