import { useState } from 'preact/hooks';
import { type Event, go, here, model, toast, useRead, shortUrl } from '../../core/index.js';
import { AreaField, FormDialog, Notice, Opener, SelectField, TextField } from '../../parts/index.js';
import { bodies, dataOf, eventTypes, examples, type FaultChoice, noFault } from './emit.js';
import { receivers, signatures, slotOf } from './emit.js';

export function Emit() {
  return (
    <Opener words="Emit event" icon="bolt">
      {(close) => <EmitDialog onClose={close} />}
    </Opener>
  );
}

const exampleOf = (type: Event['type']) => JSON.stringify(examples[type], null, 2);

function EmitDialog({ onClose }: { onClose: () => void }) {
  const { api } = model.value;
  const [type, setType] = useState<Event['type']>('message.received');
  const [text, setText] = useState(exampleOf(type));
  const [endpoint, setEndpoint] = useState('');
  const [fault, setFault] = useState(noFault);
  const query = { limit: 1000 };
  const endpoints = useRead('endpoints to emit to', () => api.get('/_sandbox/webhooks', { query }));
  const data = dataOf(text);
  const emit = async () => {
    if (typeof data === 'string') return;
    const webhook = slotOf(fault);
    const body = { type, data, ...(endpoint !== '' && { webhook_id: endpoint }), ...(webhook && { webhook }) };
    const made = await api.post('/_sandbox/events', { body });
    const [first] = made.deliveries;
    if (first) go(here('webhooks', ['deliveries', first.id]));
    else toast('bad', `${made.event.type} happened, but no endpoint is subscribed to it.`, [made.event.id]);
  };
  return (
    <FormDialog title="Emit event" onClose={onClose} does="Emit" disabled={typeof data === 'string'} onSubmit={emit}>
      <SelectField
        label="Event"
        value={type}
        options={eventTypes}
        onText={(next) => {
          setType(next);
          setText(exampleOf(next));
        }}
      />
      <AreaField
        label="Data"
        error={typeof data === 'string' ? data : null}
        hint="JSON. Omitted fields are taken from records or generated."
        rows={5}
        class="mono"
        spellcheck={false}
        value={text}
        onText={setText}
      />
      <SelectField
        label="Endpoint"
        value={endpoint}
        options={[
          ['', 'Every subscribed endpoint'],
          ...(endpoints.value?.items ?? []).map(({ id, url }) => [id, `${shortUrl(url)} alone`] as const),
        ]}
        onText={setEndpoint}
      />
      <details class="more">
        <summary>With a fault</summary>
        <FaultFields value={fault} onChange={setFault} />
      </details>
    </FormDialog>
  );
}

function FaultFields({ value, onChange }: { value: FaultChoice; onChange: (value: FaultChoice) => void }) {
  const of = (name: keyof FaultChoice) => ({
    value: value[name],
    onText: (text: string) => onChange({ ...value, [name]: text }),
  });
  return (
    <div class="stack">
      <SelectField label="Signature" options={Object.entries(signatures)} {...of('signature')} />
      <SelectField label="Body" options={Object.entries(bodies)} {...of('body')} />
      <SelectField label="Receiver" options={Object.entries(receivers)} {...of('receiver')} />
      {value.receiver === 'status' && <TextField label="Status" type="number" min={100} max={599} {...of('status')} />}
      <TextField label="Delay" hint="Account time, such as 30s or 5m." placeholder="none" {...of('delay')} />
      <TextField label="Additional copies" type="number" min={0} max={100} placeholder="0" {...of('duplicate')} />
    </div>
  );
}

export function FaultDialog({ onClose, onSend }: { onClose: () => void; onSend: (body: object) => unknown }) {
  const [fault, setFault] = useState<FaultChoice>({ ...noFault, signature: 'wrong_secret' });
  const webhook = slotOf(fault);
  const send = () => onSend({ ...(webhook && { webhook }) });
  return (
    <FormDialog title="Redeliver with a fault" onClose={onClose} does="Redeliver" onSubmit={send}>
      {fault.signature !== 'valid' && (
        <Notice tone="warn">
          Nothing is retried after an attempt without a valid signature: this attempt ends the delivery’s retry
          schedule.
        </Notice>
      )}
      <FaultFields value={fault} onChange={setFault} />
    </FormDialog>
  );
}
