/** Sends an event on demand: a valid one with generated values by default, or one with a fault. */
import { useState } from 'preact/hooks';
import { act, done, draft, model, toast, useRead } from '../../core/index.js';
import { AreaField, Button, FormDialog, More, SelectField, TextField } from '../../parts/index.js';
import { shortUrl } from './deliveries.js';
import { openDelivery } from './delivery-detail.js';
import { bodies, emitBody, emitFields, type EmitForm, eventTypes, type FaultChoice } from './emit.js';
import { holds, noFault, receivers, signatures, slotOf } from './emit.js';

export function Emit() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="low" icon="bolt" onClick={() => setOpen(true)}>
        Emit event
      </Button>
      {open && <EmitDialog onClose={() => setOpen(false)} />}
    </>
  );
}

const blank: EmitForm = { type: 'message.received', values: {}, more: '', endpoint: '' };

function EmitDialog({ onClose }: { onClose: () => void }) {
  const { api, key } = model.value;
  const form = draft<EmitForm>(`emit/${key}`, blank);
  const [fault, setFault] = useState(noFault);
  const [error, setError] = useState<string | null>(null);
  const { type, values, more, endpoint } = form.value;
  const endpoints =
    useRead('endpoints to emit to', () => done(api.GET('/_sandbox/webhooks', { params: { query: { limit: 1000 } } })))
      .value?.items ?? [];
  const set = (change: Partial<EmitForm>) => {
    form.value = { ...form.value, ...change };
    setError(null);
  };
  const valueOf = (name: string) => ({
    value: values[name] ?? '',
    onText: (value: string) => set({ values: { ...values, [name]: value } }),
  });
  const emit = async () => {
    const body = emitBody(form.value, slotOf(fault));
    if (typeof body === 'string') {
      setError(body);
      return;
    }
    const made = await act(done(api.POST('/_sandbox/events', { body })));
    if (!made) return;
    onClose();
    const [first] = made.deliveries;
    if (first) openDelivery(first.id);
    else toast('bad', `${made.event.type} happened, but no endpoint is subscribed to it.`, [made.event.id]);
  };
  return (
    <FormDialog title="Emit event" onClose={onClose} does="Emit" onSubmit={emit}>
      <SelectField
        label="Event"
        hint="Empty fields are filled from records or generated."
        value={type}
        options={eventTypes}
        onText={(next) => set({ type: next })}
      />
      {emitFields[type].map(({ name, label, options }) =>
        options ? (
          <SelectField key={name} label={label} options={[['', 'generated'], ...options]} {...valueOf(name)} />
        ) : (
          <TextField key={name} label={label} placeholder="generated" {...valueOf(name)} />
        ),
      )}
      <AreaField
        label="More fields of data"
        error={error}
        hint="As JSON."
        rows={2}
        class="mono"
        placeholder="{}"
        value={more}
        onText={(text) => set({ more: text })}
      />
      <SelectField
        label="Endpoint"
        value={endpoint}
        options={[
          ['', 'Every subscribed endpoint'],
          ...endpoints.map(({ id, url }) => [id, `${shortUrl(url)} alone`] as const),
        ]}
        onText={(id) => set({ endpoint: id })}
      />
      <More title="With a fault">
        <FaultFields value={fault} onChange={setFault} />
      </More>
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
      <TextField
        label="Additional copies"
        hint="The copy has the same id and bytes."
        type="number"
        min={0}
        max={100}
        placeholder="0"
        {...of('duplicate')}
      />
      <SelectField label="Hold until the message is" options={Object.entries(holds)} {...of('holdUntil')} />
    </div>
  );
}

interface FaultProps {
  readonly onClose: () => void;
  /** @returns whether it was sent */
  readonly onSend: (body: object) => Promise<boolean>;
}

export function FaultDialog({ onClose, onSend }: FaultProps) {
  const [fault, setFault] = useState<FaultChoice>({ ...noFault, signature: 'wrong_secret' });
  const send = async () => {
    const webhook = slotOf(fault);
    if (await onSend({ ...(webhook && { webhook }) })) onClose();
  };
  return (
    <FormDialog title="Redeliver with a fault" onClose={onClose} does="Redeliver" onSubmit={send}>
      <FaultFields value={fault} onChange={setFault} />
    </FormDialog>
  );
}
