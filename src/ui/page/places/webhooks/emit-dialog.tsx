/** Sends an event on demand: a valid one with generated values by default, or one with a fault. */
import { useState } from 'preact/hooks';
import { act, done, draft, model, toast, useRead } from '../../core/index.js';
import { Field, FormDialog, More, Select, TextArea, TextInput } from '../../parts/index.js';
import { openDelivery } from './delivery-detail.js';
import { shortUrl } from './delivery-list.js';
import { emitBody, emitFields, type EmitForm, eventTypes } from './emit.js';
import { bodies, type FaultChoice, holds, noFault, receivers, signatures, slotOf } from './fault.js';

const blank: EmitForm = { type: 'message.received', values: {}, more: '', endpoint: '' };

export function EmitDialog({ onClose }: { onClose: () => void }) {
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
      <Field label="Event" hint="Empty fields are filled from records or generated.">
        <Select
          value={type}
          options={eventTypes.map((each) => [each, each] as const)}
          onText={(next) => set({ type: next })}
        />
      </Field>
      {emitFields[type].map(({ name, label, options }) => (
        <Field key={name} label={label}>
          {options ? (
            <Select options={[['', 'generated'], ...options.map((each) => [each, each] as const)]} {...valueOf(name)} />
          ) : (
            <TextInput placeholder="generated" {...valueOf(name)} />
          )}
        </Field>
      ))}
      <Field label="More fields of data" error={error} hint="As JSON.">
        <TextArea rows={2} class="mono" placeholder="{}" value={more} onText={(text) => set({ more: text })} />
      </Field>
      <Field label="Endpoint">
        <Select
          value={endpoint}
          options={[
            ['', 'Every subscribed endpoint'],
            ...endpoints.map(({ id, url }) => [id, `${shortUrl(url)} alone`] as const),
          ]}
          onText={(id) => set({ endpoint: id })}
        />
      </Field>
      <More title="With a fault">
        <FaultFields value={fault} onChange={setFault} />
      </More>
    </FormDialog>
  );
}

function FaultFields({ value, onChange }: { value: FaultChoice; onChange: (value: FaultChoice) => void }) {
  const valueOf = (name: keyof FaultChoice) => ({
    value: value[name],
    onText: (text: string) => onChange({ ...value, [name]: text }),
  });
  const choice = (label: string, name: keyof FaultChoice, options: Readonly<Record<string, string>>) => (
    <Field label={label}>
      <Select options={Object.entries(options)} {...valueOf(name)} />
    </Field>
  );
  return (
    <div class="stack">
      {choice('Signature', 'signature', signatures)}
      {choice('Body', 'body', bodies)}
      {choice('Receiver', 'receiver', receivers)}
      {value.receiver === 'status' && (
        <Field label="Status">
          <TextInput type="number" min={100} max={599} {...valueOf('status')} />
        </Field>
      )}
      <Field label="Delay" hint="Account time, such as 30s or 5m.">
        <TextInput placeholder="none" {...valueOf('delay')} />
      </Field>
      <Field label="Additional copies" hint="The copy has the same id and bytes.">
        <TextInput type="number" min={0} max={100} placeholder="0" {...valueOf('duplicate')} />
      </Field>
      {choice('Hold until the message is', 'holdUntil', holds)}
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
