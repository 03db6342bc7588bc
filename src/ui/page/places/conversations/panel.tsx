/** Conversations with customers: a phone on which both sides can write. */
import { useState } from 'preact/hooks';
import {
  act,
  compactPhone,
  type Customer,
  done,
  exampleOf,
  filtered,
  freeNumber,
  go,
  here,
  isPhone,
  type List,
  model,
  replace,
  type Route,
  sandboxInfo,
  useRead,
  wide,
} from '../../core/index.js';
import {
  type Column,
  Empty,
  Field,
  FormDialog,
  IconButton,
  PhoneField,
  RowLink,
  SearchBox,
  Split,
  Table,
  TextArea,
  TextInput,
  Ticks,
  Time,
} from '../../parts/index.js';
import { Conversation } from './conversation.js';
import { byActivity, glimpseWords, hueOf, initials, unread } from './customers.js';
import './conversations.css';

/** `conversations/PHONE/MESSAGE`; `?q=` searches. On a wide screen, the latest conversation is open by default. */
export function Conversations({ route }: { route: Route }) {
  const { api } = model.value;
  const search = route.query['q'] ?? '';
  const [named, message] = route.path;
  // The order needs all customers, of which there are few; the newest thousand are enough.
  const read = useRead(
    `customers ${search}`,
    () =>
      done(
        api.GET('/_sandbox/customers', {
          params: { query: { limit: 1000, order: 'desc', ...(search !== '' && { search }) } },
        }),
      ),
    ['customer', 'message'],
  ).value;
  const rows = read ? byActivity(read.items) : [];
  const phone = named ?? (wide.value ? rows[0]?.phone : undefined);
  const list: List<Customer> = {
    rows,
    ready: read !== undefined,
    onNearEnd: () => undefined,
    onLook: () => undefined,
  };
  return (
    <Split
      list={<Customers list={list} current={phone} search={search} />}
      detail={phone === undefined ? null : <Conversation key={phone} phone={phone} reveal={message} />}
    />
  );
}

export function Avatar({ customer }: { customer: Pick<Customer, 'profile_name' | 'phone'> }) {
  return (
    <span class={`avatar hue-${hueOf(customer.phone)}`} aria-hidden="true">
      {initials(customer)}
    </span>
  );
}

const columns = (current: string | undefined, q: string): Column<Customer>[] => [
  { title: 'Avatar', width: '48px', cell: (customer) => <Avatar customer={customer} /> },
  {
    title: 'Customer',
    class: 'main',
    cell: (customer) => (
      <>
        <RowLink href={here('conversations', [customer.phone], { q })} current={customer.phone === current}>
          <bdi>{customer.profile_name ?? customer.phone}</bdi>
        </RowLink>
        <span class="sub" dir="auto">
          {glimpseWords(customer)}
        </span>
      </>
    ),
  },
  {
    title: 'Latest',
    width: '104px',
    class: 'end soft figures time',
    cell: ({ phone, last_message: last }) => (
      <>
        {last && <Time at={last.created_at} />}
        <span class="sub">
          <Unread phone={phone} status={last?.direction === 'outbound' ? last.status : null} />
        </span>
      </>
    ),
  },
];

function Unread({ phone, status }: { phone: string; status: string | null }) {
  const count = unread(model.value).value[phone] ?? 0;
  if (count > 0) return <span class="pill wait">{count} new</span>;
  return status === null ? null : <Ticks status={status} />;
}

function Customers({ list, current, search }: { list: List<Customer>; current: string | undefined; search: string }) {
  const [adding, setAdding] = useState(false);
  const { site } = model.value;
  return (
    <>
      <div class="toolbar">
        <SearchBox
          label="Search conversations"
          placeholder="Name, number or latest text"
          value={search}
          onText={(q) => replace(filtered({ q }))}
        />
        <IconButton kind="low" icon="plus" label="New customer" onClick={() => setAdding(true)} />
      </div>
      <Table
        label="Conversations"
        columns={columns(current, search)}
        list={list}
        keyOf={({ phone }) => phone}
        empty={
          search !== '' ? (
            <Empty title="No customer matches">
              <p>No name, number or latest message contains “{search}”.</p>
            </Empty>
          ) : (
            <Empty
              title="No conversations yet"
              command={exampleOf(site, 'POST', '/_sandbox/inbound', { from: '+12025550110', text: 'Hello?' })}
            >
              <p>
                Conversations appear here. Press the plus to write as a new customer, send a message from your
                application, or run:
              </p>
            </Empty>
          )
        }
      />
      {adding && <NewCustomer taken={list.rows} onClose={() => setAdding(false)} />}
    </>
  );
}

function NewCustomer({ taken, onClose }: { taken: readonly Customer[]; onClose: () => void }) {
  const { api } = model.value;
  const free = freeNumber((phone) => taken.some((each) => each.phone === phone), sandboxInfo());
  const [phone, setPhone] = useState(free);
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const number = compactPhone(phone);
  const write = async () => {
    if (!isPhone(number)) return;
    const body = { from: number, ...(name !== '' && { profile_name: name }), ...(text !== '' && { text }) };
    if ((await act(done(api.POST('/_sandbox/inbound', { body })))) === null) return;
    onClose();
    go(here('conversations', [number]));
  };
  return (
    <FormDialog title="New customer" does="Write" onClose={onClose} onSubmit={write}>
      <PhoneField
        label="Number"
        value={phone}
        onText={setPhone}
        error={isPhone(number) ? null : 'Expected a plus, then 7 to 15 digits, such as +12025550110.'}
      />
      <Field label="Name" hint="Generated if empty.">
        <TextInput value={name} onText={setName} />
      </Field>
      <Field label="First message" hint="Generated if empty. It opens the 24-hour window.">
        <TextArea rows={2} value={text} onText={setText} />
      </Field>
    </FormDialog>
  );
}
