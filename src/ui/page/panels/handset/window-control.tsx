/** The 24-hour window: whether it is open and for how long, and a button to open or close it. */
import { act, type Customer, model, spanWords } from '../../core/index.js';
import { Button } from '../../parts/index.js';

export function WindowControl({ customer: { phone, window: own } }: { readonly customer: Customer }) {
  const { api, clock, customers } = model.value;
  const nowMs = clock.second.value;
  const closesAtMs = own.closes_at === null ? null : Date.parse(own.closes_at);
  // The record may be out of date: the window may have closed since.
  const leftMs = nowMs === null || closesAtMs === null ? 0 : closesAtMs - nowMs;
  const open = leftMs > 0;
  const set = async (wanted: boolean) => {
    const customer = await act(
      api.put('/_sandbox/customers/{phone}/window', { path: { phone }, body: { open: wanted } }),
    );
    if (customer) customers.put(customer);
  };
  return (
    <div class={`window ${open ? 'open' : 'closed'}`}>
      <p class="window-words figures" title={own.closes_at ?? 'Never open'}>
        <span class="strong">{open ? 'Window open' : 'Window closed'}</span>
        {open && <span class="faint">{spanWords(leftMs)} left</span>}
      </p>
      <Button kind="small" onClick={() => void set(!open)}>
        {open ? 'Close window' : 'Open window'}
      </Button>
    </div>
  );
}
