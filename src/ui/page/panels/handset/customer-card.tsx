/** A customer's details next to the conversation, on a wide screen. */
import { type Customer, here, magicOf, model, sandboxInfo } from '../../core/index.js';
import { CopyButton, Icon, Pair, RelativeTime } from '../../parts/index.js';
import { Avatar } from './avatar.js';

export function CustomerCard({ customer }: { readonly customer: Customer }) {
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
        <p class="customer-magic small-text">
          <Icon name="bolt" size={14} /> {magic.description}
        </p>
      )}
      <dl class="facts small-text">
        <Pair name="Last message">{wrote === null ? 'never' : <RelativeTime at={wrote} />}</Pair>
        <Pair name="Window closes">{own.closes_at === null ? 'never open' : <RelativeTime at={own.closes_at} />}</Pair>
        <Pair name="Messages loaded">{model.value.conversation(phone).rows.length}</Pair>
      </dl>
      <p class="customer-links small-text">
        <a href={here('send', ['text'], { to: phone })}>Send text</a>
        <a href={here('requests', [], { q: phone })}>Requests</a>
        <a href={here('webhooks', ['deliveries'], { q: phone })}>Deliveries</a>
        <a href={here('codes', [], { q: phone })}>Codes</a>
      </p>
    </aside>
  );
}
