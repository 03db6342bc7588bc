/** The handset: every customer's conversation, as the customer sees it, and a place to write back. */
import type { Route } from '../../core/route.js';
import { wide } from '../../core/media.js';
import { EmptyState } from '../../parts/empty-state.js';
import { useOpening } from '../../parts/opening.js';
import type { Panel } from '../panel.js';
import { Conversation } from './conversation.js';
import { ConversationList } from './conversation-list.js';
import { totalUnread } from './unread.js';
import './handset.css';

/** `handset/PHONE/MESSAGE`; `?q=` searches the conversations. */
function Handset({ route }: { readonly route: Route }) {
  const [phone, message] = route.path;
  const alone = !wide.value;
  // One opens a conversation to write in it.
  const opening = useOpening('textarea');
  return (
    <div class="handset">
      {(!alone || phone === undefined) && (
        <div class="conversations" {...opening.list}>
          <ConversationList current={phone} search={route.query['q'] ?? ''} />
        </div>
      )}
      {phone !== undefined && (
        <div class="conversation-place" {...opening.detail}>
          <Conversation key={phone} phone={phone} reveal={message} />
        </div>
      )}
      {phone === undefined && !alone && (
        <div class="handset-none">
          <EmptyState icon="chat" title="No conversation is open">
            <p>Choose one at the left, or begin a new one as a customer.</p>
          </EmptyState>
        </div>
      )}
    </div>
  );
}

export const handset: Panel = { id: 'handset', title: 'Handset', icon: 'chat', view: Handset, badge: totalUnread };
