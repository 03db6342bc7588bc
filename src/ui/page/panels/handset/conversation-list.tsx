/** Conversations by customer, latest first, with the number of unread messages. */
import { useEffect, useState } from 'preact/hooks';
import {
  act,
  clockWords,
  compactPhone,
  type Customer,
  dayPill,
  exampleOf,
  freeNumber,
  go,
  here,
  isPhone,
  model,
  replace,
  sandboxInfo,
} from '../../core/index.js';
import {
  Check,
  EmptyState,
  Field,
  FormDialog,
  IconButton,
  PhoneField,
  SearchField,
  TextArea,
  TextInput,
  Ticks,
  VirtualList,
} from '../../parts/index.js';
import { glimpseWords, orderedConversations } from './conversations.js';
import { Avatar } from './customer-card.js';
import { unread } from './unread.js';

export function ConversationList({ current, search }: { current: string | undefined; search: string }) {
  const { customers } = model.value;
  const [adding, setAdding] = useState(false);
  const state = customers.state.value;
  // Sorting by activity needs all customers; until they are loaded, the newest are shown.
  useEffect(() => customers.ensureAll(), [customers]);
  const rows = orderedConversations(customers.rows, search);
  return (
    <>
      <header class="conversations-head flex gap-50">
        <SearchField
          label="Search conversations"
          placeholder="Search"
          value={search}
          onChange={(q) => replace(here('handset', current === undefined ? [] : [current], { q }))}
        />
        <IconButton
          icon="plus"
          label="New customer"
          kind="accent"
          title="New customer"
          onClick={() => setAdding(true)}
        />
      </header>
      {state === 'ready' && rows.length === 0 ? (
        <NoConversations search={search} />
      ) : (
        <VirtualList
          label="Conversations"
          class="conversations-list"
          rows={rows}
          keyOf={({ phone }) => phone}
          estimate={68}
          onNearEnd={() => void customers.older()}
          row={(customer) => <Entry customer={customer} current={customer.phone === current} search={search} />}
        />
      )}
      {adding && <NewCustomer onClose={() => setAdding(false)} />}
    </>
  );
}

function NoConversations({ search }: { search: string }) {
  if (search !== '') {
    return (
      <EmptyState icon="search" title="No customer matches">
        <p>No name, number or latest message contains “{search}”.</p>
      </EmptyState>
    );
  }
  const { site } = model.value;
  return (
    <EmptyState
      icon="chat"
      title="No conversations yet"
      command={exampleOf(site, 'POST', '/_sandbox/inbound', { from: '+12025550110', text: 'Hello?' })}
    >
      <p>Conversations appear here. Press plus to write as a customer, send a message from your application, or run:</p>
    </EmptyState>
  );
}

interface EntryProps {
  readonly customer: Customer;
  readonly current: boolean;
  readonly search: string;
}

function Entry({ customer, current, search }: EntryProps) {
  const { phone, profile_name: name, last_message: last } = customer;
  const count = unread(model.value).value[phone] ?? 0;
  return (
    <a
      class="conversation-entry ink gap-75 line"
      href={here('handset', [phone], { q: search })}
      aria-current={current ? 'true' : undefined}
    >
      <Avatar customer={customer} />
      <span class="conversation-words fills grid">
        <span class="conversation-top">
          <span class="conversation-name left strong cut" dir="auto">
            {name ?? phone}
          </span>
          {last && <LastAt at={last.created_at} />}
        </span>
        <span class="conversation-bottom">
          {last?.direction === 'outbound' && <Ticks status={last.status} />}
          <span class="conversation-glimpse left cut" dir="auto">
            {glimpseWords(customer)}
          </span>
          {count > 0 && (
            <span class="unread round centred tiny-text">
              {count}
              <span class="for-readers"> unread</span>
            </span>
          )}
        </span>
      </span>
    </a>
  );
}

/** Returns the time of a message from today, or the day of an older one. */
function LastAt({ at }: { at: string }) {
  const ms = Date.parse(at);
  const day = dayPill(ms, model.value.clock.second.value ?? ms);
  return (
    <time class="faint tiny-text" dateTime={at} title={at}>
      {day === 'Today' ? clockWords(ms) : day.replace(/ \d{4}$/, '')}
    </time>
  );
}

function NewCustomer({ onClose }: { onClose: () => void }) {
  const { api, customers } = model.value;
  const [phone, setPhone] = useState(() => freeNumber((each) => customers.get(each) !== undefined, sandboxInfo()));
  const [name, setName] = useState('');
  const [words, setWords] = useState('');
  const [writes, setWrites] = useState(true);
  const [error, setError] = useState<string | null>(null);

  const begin = async () => {
    const number = compactPhone(phone);
    if (!isPhone(number)) {
      setError(`Invalid number "${phone}". Expected a plus, then 7 to 15 digits, such as +12025550110.`);
      return;
    }
    const done = writes
      ? await act(
          api.post('/_sandbox/inbound', {
            body: {
              from: number,
              ...(name !== '' && { profile_name: name }),
              ...(words !== '' && { type: 'text' as const, text: words }),
            },
          }),
        )
      : await act(api.put('/_sandbox/customers/{phone}/window', { path: { phone: number }, body: { open: true } }));
    if (!done) return;
    onClose();
    go(here('handset', [number]));
  };

  return (
    <FormDialog title="New customer" onClose={onClose} does="Create customer" onSubmit={begin}>
      <PhoneField
        label="Number"
        error={error}
        value={phone}
        onChange={(value) => {
          setPhone(value);
          setError(null);
        }}
      />
      <fieldset class="choice">
        <legend>Start with</legend>
        <Check type="radio" name="begins" checked={writes} onCheck={() => setWrites(true)}>
          a message from the customer
        </Check>
        <Check type="radio" name="begins" checked={!writes} onCheck={() => setWrites(false)}>
          an open window, without a message
        </Check>
      </fieldset>
      {writes && (
        <>
          <Field label="Name" hint="Generated if empty.">
            <TextInput value={name} onText={setName} />
          </Field>
          <Field label="First message" hint="Generated if empty.">
            <TextArea rows={2} value={words} onText={setWords} />
          </Field>
        </>
      )}
    </FormDialog>
  );
}
