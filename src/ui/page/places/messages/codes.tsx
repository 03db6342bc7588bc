import { useState } from 'preact/hooks';
import { callService, counted, exampleOf, go, type HandsetMessage, here, model, type Otp } from '../../core/index.js';
import { Button, Card, type Column, CopyButton, Detail, FormDialog, idPair, Item } from '../../parts/index.js';
import {
  type ItemProps,
  type ListProps,
  Notice,
  Opener,
  Records,
  State,
  stateColumn,
  submits,
} from '../../parts/index.js';
import { TextField, TextInput, Time, timeColumn, toneOf, useRecords, useWork } from '../../parts/index.js';
import { PhoneField } from '../conversations/phone.js';
import { Axis } from './axis.js';
import { entriesOf, readMessage, useStory } from './story.js';
import { stateAt } from './words.js';

/** Its clock decides whether a code has expired. */
function CodeState({ otp }: { otp: Otp }) {
  return <State status={stateAt(otp, model.value.clock.second.value)} />;
}

const columns: readonly Column<Otp>[] = [
  stateColumn('State', (otp) => <CodeState otp={otp} />),
  {
    title: 'Phone',
    width: 192,
    cell: ({ to }) => to,
    sub: ({ attempts_remaining: left, template }) => `${left} attempts left · ${template}`,
  },
  {
    title: 'Code',
    width: 120,
    class: 'extra',
    cell: ({ code }) => (
      <span class="above">
        <span class="mono">{code}</span> <CopyButton text={code} label={`code ${code}`} />
      </span>
    ),
  },
  { title: 'Attempts left', width: 112, class: 'wide figures', cell: (otp) => otp.attempts_remaining },
  { title: 'Template', class: 'wide soft', cell: ({ template }) => template },
  { title: 'Expires', width: 132, class: 'wide soft', cell: (otp) => <Time at={otp.expires_at} as="relative" /> },
  { ...timeColumn((otp) => otp.created_at), class: 'wide end soft figures' },
];

export function CodeList(props: ListProps) {
  const { api, site } = model.value;
  const template = { name: 'login_code', category: 'authentication', language: 'en' };
  return (
    <Records
      one="code"
      label="Codes"
      path={['messages', 'codes']}
      {...props}
      list={useRecords(props.query, [], ['otp'], (page) => api.get('/_sandbox/otps', { query: page }))}
      idOf={(otp) => otp.otp_id}
      columns={columns}
      search="Number, code or template"
      command={[
        exampleOf(site, 'POST', '/v1/templates', template),
        exampleOf(site, 'POST', '/v1/otp/send', { to: '+12025550110' }),
      ].join('\n# once it is approved:\n')}
      none="Codes that your application sends appear here. They need an approved template in the authentication category. Send one with the button above, or run:"
    />
  );
}

export function CodeDetail({ id, back }: ItemProps) {
  const { api } = model.value;
  const read = async () => {
    const [otp] = (await api.get('/_sandbox/otps', { query: { otp_id: id } })).items;
    const message = otp && (await readMessage(api, otp.message_id));
    return message ? { otp, message } : null;
  };
  return (
    <Item one="code" id={id} back={back} read={read} nouns={['otp', 'message']}>
      {(read) => <Shown {...read} back={back} />}
    </Item>
  );
}

function Shown({ otp, message, back }: { otp: Otp; message: HandsetMessage; back: string }) {
  const story = useStory(message);
  const { otp_id: id, to, code, template, expires_at: expires, verified_at: verified, attempts_remaining: left } = otp;
  const state = stateAt(otp, model.value.clock.second.value);
  return (
    <Detail
      title={`Code to ${to}`}
      back={back}
      tone={state === 'verified' ? 'good' : toneOf(state)}
      words={[
        state,
        verified !== null && <Time at={verified} />,
        state === 'active' && (
          <>
            expires <Time at={expires} as="relative" />
          </>
        ),
        `${counted(left, 'attempt')} left`,
      ]}
      actions={
        <a class="button low" href={here('conversations', [to, otp.message_id])}>
          Conversation
        </a>
      }
      explain={otp.explain}
      ids={[
        idPair('Code id', id),
        ['Template', <a href={here('templates', [], { q: template })}>{template}</a>],
        ['Requests', <a href={here('requests', [], { q: id })}>Calls that name it</a>],
      ]}
    >
      <div class="sides">
        <Card title="The code">
          <p class="code-large">
            <span class="mono">{code}</span> <CopyButton kind="low" text={code} label="code" />
          </p>
          <Verify id={id} code={code} locked={state === 'locked'} />
        </Card>
        <Axis entries={entriesOf(story)} />
      </div>
    </Detail>
  );
}

function Verify({ id, code, locked }: { id: string; code: string; locked: boolean }) {
  const [typed, setTyped] = useState(code);
  const [result, setResult] = useState<{ valid?: boolean; attempts_remaining?: number } | null>(null);
  const { problem, run } = useWork();
  const verify = () => {
    setResult(null);
    return run(async () => setResult(await callService('/v1/otp/verify', { otp_id: id, code: typed })));
  };
  return (
    <form class="stack" onSubmit={submits(verify)}>
      <div class="row">
        <span class="grow">
          <TextInput aria-label="Code to verify" class="mono" inputMode="numeric" value={typed} onText={setTyped} />
        </span>
        <Button type="submit" disabled={locked} words="Verify code" />
      </div>
      {locked && <p class="hint">Locked after too many wrong codes: even the right one is rejected. Send another.</p>}
      <div role="status">
        {result && (
          <Notice tone={result.valid ? 'good' : 'bad'} icon={result.valid ? 'check' : 'alert'}>
            {result.valid
              ? 'The code is valid.'
              : `Wrong code: ${counted(result.attempts_remaining ?? 0, 'attempt')} left.`}
          </Notice>
        )}
      </div>
      {problem}
    </form>
  );
}

export function SendCode() {
  const [to, setTo] = useState('+12025550110');
  const [length, setLength] = useState('');
  const [seconds, setSeconds] = useState('');
  const send = async () => {
    const expiry = seconds !== '' && { expiry_seconds: Number(seconds) };
    const made = await callService('/v1/otp/send', { to, ...(length !== '' && { length: Number(length) }), ...expiry });
    go(here('messages', ['codes', made['otp_id'] ?? '']));
  };
  return (
    <Opener words="Send code" icon="plus">
      {(close) => (
        <FormDialog title="Send a code" does="Send code" onClose={close} onSubmit={send}>
          <PhoneField label="To" value={to} onText={setTo} />
          <TextField label="Length" hint="4 to 8 digits. Default: 6." type="number" value={length} onText={setLength} />
          <TextField
            label="Expires after (seconds)"
            hint="1 to 86400. Default: 300."
            type="number"
            value={seconds}
            onText={setSeconds}
          />
        </FormDialog>
      )}
    </Opener>
  );
}
