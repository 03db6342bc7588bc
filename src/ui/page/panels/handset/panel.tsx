/** The handset: each customer's conversation as the customer sees it, with a composer. */
import { here, isPhone, model, type Route, wide } from '../../core/index.js';
import { EmptyState, useOpening } from '../../parts/index.js';
import { FirstSteps } from '../account/first-steps.js';
import { Conversation } from './conversation.js';
import { ConversationList } from './conversation-list.js';
import './handset.css';

/** `handset/PHONE/MESSAGE`; `?q=` searches the conversations. */
export function Handset({ route }: { route: Route }) {
  const [named, message] = route.path;
  // Links often lose the plus.
  const phone = named !== undefined && /^[1-9]\d{6,14}$/.test(named) ? `+${named}` : named;
  const alone = !wide.value;
  // Opening a conversation puts the focus into the composer.
  const opening = useOpening('textarea');
  return (
    <div class="handset low grid full">
      {(!alone || phone === undefined) && (
        <div class="conversations low grid surface" {...opening.list}>
          <ConversationList current={phone} search={route.query['q'] ?? ''} />
        </div>
      )}
      {phone !== undefined && (
        <div class="conversation-place" {...opening.detail}>
          {isPhone(phone) ? <Conversation key={phone} phone={phone} reveal={message} /> : <NoPhone phone={phone} />}
        </div>
      )}
      {phone === undefined && !alone && (
        <div class="handset-none middle">
          {model.value.customers.rows.length === 0 ? (
            <FirstSteps />
          ) : (
            <EmptyState icon="chat" title="No conversation is open">
              <p>Choose one on the left, or write as a new customer.</p>
            </EmptyState>
          )}
        </div>
      )}
    </div>
  );
}

function NoPhone({ phone }: { phone: string }) {
  return (
    <EmptyState icon="search" title="This is not a phone number">
      <p>
        The address names “{phone}”. Expected a plus, then 7 to 15 digits, such as{' '}
        <a href={here('handset', ['+12025550110'])}>+12025550110</a>.
      </p>
      <a href={here('handset')}>All conversations</a>
    </EmptyState>
  );
}
