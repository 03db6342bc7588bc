/**
 * Orders. When an order is shipped, its customer gets one update.
 *
 * @param {object} parts
 * @param {import('./store.js').Store} parts.store
 * @param {import('./customers.js').Customers} parts.customers
 * @param {import('./outbox.js').Outbox} parts.outbox
 */
export function createOrders({ store, customers, outbox }) {
  const { orders } = store;
  return {
    /** @param {string} number @param {string} phone @param {string | null} name @returns {boolean} false if the number is taken */
    place(number, phone, name) {
      if (orders.has(number)) return false;
      orders.set(number, { number, phone, state: 'placed', notice: null });
      if (name !== null) customers.get(phone).name = name;
      return true;
    },
    /**
     * Calling it twice has the same effect as once, because the button may be pressed twice.
     * @param {string} number
     */
    ship(number) {
      const order = orders.get(number);
      if (!order) return false;
      if (order.state === 'placed') {
        order.state = 'shipped';
        order.notice = outbox.add({ to: [order.phone], template: 'order_shipped', variables: [number] });
      }
      return true;
    },
    /** @param {string} number */
    show(number) {
      const order = orders.get(number);
      if (!order) return null;
      const { phone, state, notice } = order;
      return { number, phone, state, notice: (notice && outbox.outcome(notice)?.[phone]) ?? null };
    },
  };
}
