import { useRef, useState } from 'preact/hooks';
import { type Customer, exampleOf, go, here, type List, model, type Route, useRead, wide } from '../../core/index.js';
import { AreaField, Button, type Column, FormDialog, type ListProps, Records, Split } from '../../parts/index.js';
import { TextField, Time } from '../../parts/index.js';
import { Avatar } from './avatar.js';
import { Conversation } from './conversation.js';
import { compactPhone, freeNumber, PhoneField } from './phone.js';
import { Ticks } from './ticks.js';
import './conversations.css';

/** `conversations/PHONE/MESSAGE`; `?q=` searches. On a wide screen, the latest conversation is open by default. */
export function Conversations({ route }: { route: Route }) {
  const { api } = model.value;
  const search = route.query['q'] ?? '';
  const [named, message] = route.path;
  // The order needs all customers, of which there are few; the newest thousand are enough.
  const read = useRead(
    `customers ${search}`,
    () => api.get('/_sandbox/customers', { query: { limit: 1000, order: 'desc', ...(search !== '' && { search }) } }),
    ['customer', 'message'],
  );
  const rows = read.value && byActivity(read.value.items);
  // A flood does not change the open conversation.
  const latest = useRef<string | undefined>(undefined);
  latest.current ??= rows?.[0]?.phone;
  const phone = named ?? (wide.value ? latest.current : undefined);
  return (
    <Split
      list={<Customers list={{ ...read, rows }} current={phone} query={route.query} />}
      item={phone === undefined ? null : <Conversation key={phone} phone={phone} reveal={message} />}
    />
  );
}

const columns: readonly Column<Customer>[] = [
  { title: 'Avatar', width: 56, class: 'lead', cell: (customer) => <Avatar customer={customer} /> },
  {
    title: 'Customer',
    cell: ({ profile_name: name, phone }) => <bdi>{name ?? phone}</bdi>,
    sub: (customer) => glimpseWords(customer),
  },
  {
    title: 'Latest',
    width: 132,
    class: 'end soft figures time',
    cell: ({ last_message: last }) => (
      <>
        {last && <Time at={last.created_at} />}
        <span class="sub">{last?.direction === 'outbound' && <Ticks status={last.status} />}</span>
      </>
    ),
  },
];

function Customers({ list, ...props }: ListProps & { list: List<Customer> }) {
  const [adding, setAdding] = useState(false);
  const { site } = model.value;
  return (
    <>
      <Records
        one="customer"
        label="Conversations"
        path={['conversations']}
        {...props}
        list={list}
        idOf={({ phone }) => phone}
        columns={columns}
        search="Name, number or latest text"
        command={exampleOf(site, 'POST', '/_sandbox/inbound', { from: '+12025550110', text: 'Hello?' })}
        none="Conversations appear here. Write as a new customer with the button above, send a message from your application, or run:"
      >
        <Button kind="low" icon="plus" aria-label="New customer" onClick={() => setAdding(true)} words="New" />
      </Records>
      {adding && <NewCustomer taken={list.rows ?? []} onClose={() => setAdding(false)} />}
    </>
  );
}

function NewCustomer({ taken, onClose }: { taken: readonly Customer[]; onClose: () => void }) {
  const { api, info } = model.value;
  const free = () =>
    freeNumber(
      taken.map((each) => each.phone),
      info.value,
    );
  const [phone, setPhone] = useState(free);
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const number = compactPhone(phone);
  const write = async () => {
    const body = { from: number, ...(name !== '' && { profile_name: name }), ...(text !== '' && { text }) };
    await api.post('/_sandbox/inbound', { body });
    go(here('conversations', [number]));
  };
  return (
    <FormDialog title="New customer" does="Write" onClose={onClose} onSubmit={write}>
      <PhoneField label="Number" value={phone} onText={setPhone} />
      <TextField label="Name" hint="Generated if empty." value={name} onText={setName} />
      <AreaField
        label="First message"
        hint="Generated if empty. It opens the 24-hour window."
        rows={2}
        value={text}
        onText={setText}
      />
    </FormDialog>
  );
}

function byActivity(customers: readonly Customer[]): Customer[] {
  const activity = ({ seq, last_message: last }: Customer) => last?.seq ?? seq;
  return customers.toSorted((a, b) => activity(b) - activity(a));
}

function glimpseWords({ last_message: last }: Customer): string {
  if (!last) return 'No messages yet';
  const kind = { image: 'Image', document: 'Document', interactive: 'Buttons', template: 'Template', text: '' }[
    last.type
  ];
  if (last.text === null || last.text === '') return kind === '' ? 'Empty message' : kind;
  return last.type === 'image' || last.type === 'document' ? `${kind}: ${last.text}` : last.text;
}
