/** A customer's details next to the conversation, on a wide screen. */
import { model } from '../../core/current.js';
import { sandboxInfo } from '../../core/info.js';
import { here } from '../../core/location.js';
import type { Customer } from '../../core/records.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Icon } from '../../parts/icon.js';
import { RelativeTime } from '../../parts/relative-time.js';
import { Avatar } from './avatar.js';
import { magicOf } from '../../core/phone.js';

export function CustomerCard({ customer }: { readonly customer: Customer }) {
  const { phone, profile_name: name, window: own, last_inbound_at: wrote } = customer;
  const magic = magicOf(phone, sandboxInfo());
  return (
    <aside class="customer-card" aria-label="Customer">
      <Avatar customer={customer} />
      <p class="customer-name">{name ?? 'No name yet'}</p>
      <p class="mono">
        {phone} <CopyButton text={phone} label="number" />
      </p>
      {magic && (
        <p class="customer-magic">
          <Icon name="bolt" size={14} /> {magic.description}
        </p>
      )}
      <dl class="facts">
        <dt>Last message</dt>
        <dd>{wrote === null ? 'never' : <RelativeTime at={wrote} />}</dd>
        <dt>Window closes</dt>
        <dd>{own.closes_at === null ? 'never open' : <RelativeTime at={own.closes_at} />}</dd>
        <dt>Messages loaded</dt>
        <dd>{model.value.conversation(phone).rows.length}</dd>
      </dl>
      <p class="customer-links">
        <a href={here('send', ['text'], { to: phone })}>Send text</a>
        <a href={here('requests', [], { q: phone })}>Requests</a>
        <a href={here('webhooks', ['deliveries'], { q: phone })}>Deliveries</a>
        <a href={here('codes', [], { q: phone })}>Codes</a>
      </p>
    </aside>
  );
}
