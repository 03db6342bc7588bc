/** One-time codes, latest first. */
import { useState } from 'preact/hooks';
import {
  callOf,
  done,
  errorOf,
  errorWords,
  exampleOf,
  filtered,
  go,
  here,
  model,
  type Otp,
  replace,
  sendCall,
  useList,
} from '../../core/index.js';
import {
  Button,
  type Column,
  CopyButton,
  Empty,
  Field,
  FormDialog,
  Notice,
  parsed,
  PhoneField,
  RowLink,
  SearchBox,
  State,
  Table,
  TextInput,
  Time,
} from '../../parts/index.js';
import { stateAt } from './code-state.js';

export function CodeState({ otp }: { otp: Otp }) {
  return <State status={stateAt(otp, model.value.clock.second.value)} />;
}

const columns = (current: string | undefined, q: string): Column<Otp>[] => [
  { title: 'State', width: '104px', cell: (otp) => <CodeState otp={otp} /> },
  {
    title: 'Phone',
    class: 'main',
    cell: ({ otp_id: id, to, template, attempts_remaining: left }) => (
      <>
        <RowLink href={here('messages', ['codes', id], { q })} current={id === current}>
          {to}
        </RowLink>
        <span class="sub">
          {left} attempts left · {template}
        </span>
      </>
    ),
  },
  {
    title: 'Code',
    width: '120px',
    cell: ({ code }) => (
      <span class="code-cell">
        <span class="mono">{code}</span> <CopyButton text={code} label={`code ${code}`} />
      </span>
    ),
  },
  { title: 'Attempts left', width: '112px', class: 'wide figures', cell: (otp) => otp.attempts_remaining },
  { title: 'Template', width: '176px', class: 'wide soft', cell: ({ template }) => template },
  {
    title: 'Expires',
    width: '132px',
    class: 'wide soft',
    cell: ({ expires_at: at }) => <Time at={at} as="relative" />,
  },
  {
    title: 'Sent',
    width: '132px',
    class: 'wide end soft figures time',
    cell: ({ created_at: at }) => <Time at={at} />,
  },
];

export function CodeList({ current, search }: { current: string | undefined; search: string }) {
  const { api, site } = model.value;
  const list = useList(
    `codes ${search}`,
    (page) => done(api.GET('/_sandbox/otps', { params: { query: { ...page, ...(search !== '' && { search }) } } })),
    ['otp'],
  );
  const template = { name: 'login_code', category: 'authentication', language: 'en' };
  const command = [
    exampleOf(site, 'POST', '/v1/templates', template),
    exampleOf(site, 'POST', '/v1/otp/send', { to: '+12025550110' }),
  ].join('\n# once it is approved:\n');
  return (
    <>
      <div class="toolbar">
        <SearchBox
          label="Search codes"
          placeholder="Number, code or template"
          value={search}
          onText={(q) => replace(filtered({ q }))}
        />
      </div>
      <Table
        label="One-time codes"
        columns={columns(current, search)}
        list={list}
        keyOf={({ otp_id }) => otp_id}
        empty={
          search !== '' ? (
            <Empty title="No code matches">
              <p>None was sent to a number, or with a template, that contains “{search}”.</p>
            </Empty>
          ) : (
            <Empty title="No codes yet" command={command}>
              <p>
                Codes that your application sends appear here. They need an approved template in the authentication
                category. Send one with the button above, or run:
              </p>
            </Empty>
          )
        }
      />
    </>
  );
}

/** Sends a code as the business. */
export function SendCode() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="low" icon="plus" onClick={() => setOpen(true)}>
        Send code
      </Button>
      {open && <SendCodeDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function SendCodeDialog({ onClose }: { onClose: () => void }) {
  const { key } = model.value;
  const [to, setTo] = useState('+12025550110');
  const [length, setLength] = useState('');
  const [seconds, setSeconds] = useState('');
  const [error, setError] = useState<string | null>(null);
  const send = async () => {
    const body = {
      to,
      ...(length !== '' && { length: Number(length) }),
      ...(seconds !== '' && { expiry_seconds: Number(seconds) }),
    };
    const response = await sendCall(callOf('POST', '/v1/otp/send', body), key);
    const failed = errorOf(response);
    if (failed) {
      setError(errorWords(failed));
      return;
    }
    onClose();
    go(here('messages', ['codes', (parsed(response.text) as { otp_id: string }).otp_id]));
  };
  return (
    <FormDialog title="Send a code" does="Send code" onClose={onClose} onSubmit={send}>
      <PhoneField label="To" value={to} onText={setTo} />
      <Field label="Length" hint="4 to 8 digits. Default: 6.">
        <TextInput type="number" min={4} max={8} value={length} onText={setLength} />
      </Field>
      <Field label="Expires after (seconds)" hint="1 to 86400. Default: 300.">
        <TextInput type="number" min={1} max={86400} value={seconds} onText={setSeconds} />
      </Field>
      {error !== null && <Notice tone="bad">{error}</Notice>}
    </FormDialog>
  );
}
