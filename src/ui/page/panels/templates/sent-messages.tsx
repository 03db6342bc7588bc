/** Messages sent with a template, newest first, each a link to the handset. */
import { useEffect } from 'preact/hooks';
import { here, type Message, model, type Template } from '../../core/index.js';
import { RelativeTime, Ticks, VirtualList } from '../../parts/index.js';

export function SentMessages({ template: { name, category } }: { readonly template: Template }) {
  const { messages } = model.value;
  const state = messages.state.value;
  useEffect(() => messages.ensure(), [messages]);
  const rows = messages.rows.filter((message) => message.template?.name === name).reverse();
  const few = rows.length < 20 && messages.more.value;
  // The template's messages may be old, so older pages are read until some are found.
  useEffect(() => {
    if (state === 'ready' && few) void messages.older();
  }, [messages, state, few, messages.version.value]);
  return (
    <section class="card sent" aria-label="Messages">
      <h3>
        Sent with it{' '}
        {rows.length > 0 && (
          <span class="tab-count tiny-text">{messages.more.value ? `${rows.length}+` : rows.length}</span>
        )}
      </h3>
      {category === 'authentication' && (
        <p>
          <a href={here('codes', [], { q: name })}>One-time codes</a>
        </p>
      )}
      {rows.length === 0 ? (
        <p class="faint">{state === 'ready' && !few ? 'Messages sent with this template appear here.' : 'Loading …'}</p>
      ) : (
        <div class="sent-list" style={{ height: `${Math.min(rows.length, 6) * 44}px` }}>
          <VirtualList
            label="Messages sent with this template"
            count={rows.length}
            keyOf={(index) => rows[index]?.message_id ?? ''}
            estimate={44}
            onNearEnd={() => void messages.older()}
            row={(index) => {
              const message = rows[index];
              return message && <Sent message={message} />;
            }}
          />
        </div>
      )}
    </section>
  );
}

function Sent({ message: { message_id: id, to, status, text, created_at: at } }: { readonly message: Message }) {
  return (
    <div class="sent-row small-text">
      <a class="row-link mono" href={here('handset', [to, id])}>
        {to}
      </a>
      <Ticks status={status} />
      <span class="sent-text cut" dir="auto">
        {text}
      </span>
      <RelativeTime at={at} as="time" />
    </div>
  );
}
