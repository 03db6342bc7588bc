/** A customer's details next to the conversation, on a wide screen. */
import { act, type Customer, here, magicOf, model, sandboxInfo, spanWords } from '../../core/index.js';
import { Button, CopyButton, Icon, Pair, RelativeTime } from '../../parts/index.js';
import { hueOf, initials } from './conversations.js';

export function CustomerCard({ customer }: { customer: Customer }) {
  const { phone, profile_name: name, window: own, last_inbound_at: wrote } = customer;
  const magic = magicOf(phone, sandboxInfo());
  return (
    <aside class="customer-card" aria-label="Customer">
      <Avatar customer={customer} />
      <p class="customer-name breaks">{name ?? 'No name yet'}</p>
      <p class="mono">
        {phone} <CopyButton text={phone} label="number" />
      </p>
      {magic && (
        <p class="customer-magic toned warn left curved-10 flex gap-40 small-text">
          <Icon name="bolt" size={14} /> {magic.description}
        </p>
      )}
      <dl class="facts ruled-top left whole grid small-text">
        <Pair name="Last message">{wrote === null ? 'never' : <RelativeTime at={wrote} />}</Pair>
        <Pair name="Window closes">{own.closes_at === null ? 'never open' : <RelativeTime at={own.closes_at} />}</Pair>
        <Pair name="Messages loaded">{model.value.conversation(phone).rows.length}</Pair>
      </dl>
      <p class="customer-links flex small-text">
        <a href={here('send', ['text'], { to: phone })}>Send text</a>
        <a href={here('requests', [], { q: phone })}>Requests</a>
        <a href={here('webhooks', ['deliveries'], { q: phone })}>Deliveries</a>
        <a href={here('codes', [], { q: phone })}>Codes</a>
      </p>
    </aside>
  );
}

export function WindowControl({ customer: { phone, window: own } }: { customer: Customer }) {
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
    <div class={`window line gap-60 small-text ${open ? 'open' : 'closed'}`}>
      <p class="window-words grid figures" title={own.closes_at ?? 'Never open'}>
        <span class="strong">{open ? 'Window open' : 'Window closed'}</span>
        {open && <span class="faint">{spanWords(leftMs)} left</span>}
      </p>
      <Button kind="small" onClick={() => void set(!open)}>
        {open ? 'Close window' : 'Open window'}
      </Button>
    </div>
  );
}

export function Avatar({ customer }: { customer: Pick<Customer, 'profile_name' | 'phone'> }) {
  return (
    <span class={`avatar middle hue-${hueOf(customer.phone)}`} aria-hidden="true">
      {initials(customer)}
    </span>
  );
}
