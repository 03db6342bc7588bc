/** Sends an event on demand: a valid one with generated values by default, or one with a fault. */
import { useState } from 'preact/hooks';
import { act, type Delivery, draft, type Event, go, model, toast } from '../../core/index.js';
import { Field, FormDialog } from '../../parts/index.js';
import { emitBody, type EmitField, emitFields, type EmitForm } from './emit.js';
import { bodies, type FaultChoice, noFault, receivers, signatures, slotOf } from './fault.js';
import { eventTypes } from './filter.js';
import { deliveryHref, shortUrl } from './place.js';

const blank: EmitForm = { type: 'message.received', values: {}, more: '', endpoint: '' };

export function EmitDialog({ onClose }: { onClose: () => void }) {
  const { api, webhooks, key } = model.value;
  const form = draft<EmitForm>(`emit/${key}`, blank);
  const [fault, setFault] = useState(noFault);
  const [error, setError] = useState<string | null>(null);
  const { type, values, more, endpoint } = form.value;
  const set = (change: Partial<EmitForm>) => {
    form.value = { ...form.value, ...change };
    setError(null);
  };
  const emit = async () => {
    const body = emitBody(form.value, slotOf(fault));
    if (typeof body === 'string') {
      setError(body);
      return;
    }
    const made = await act(api.post('/_sandbox/events', { body }));
    if (!made) return;
    onClose();
    const [first] = made.deliveries;
    if (first) go(deliveryHref(first.id, undefined, {}));
    else toast('bad', `${made.event.type} happened, but no endpoint is subscribed to it.`, [made.event.id]);
  };
  return (
    <FormDialog title="Emit event" onClose={onClose} does="Emit" onSubmit={emit}>
      <Field label="Event" hint="Empty fields are filled from records or generated.">
        <select value={type} onChange={(event) => set({ type: event.currentTarget.value as Event['type'] })}>
          {eventTypes.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </Field>
      {emitFields[type].map((field) => (
        <DataField
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          onChange={(value) => set({ values: { ...values, [field.name]: value } })}
        />
      ))}
      <Field label="More fields of data" error={error} hint="As JSON.">
        <textarea
          rows={2}
          class="mono"
          placeholder="{}"
          value={more}
          onInput={(event) => set({ more: event.currentTarget.value })}
        />
      </Field>
      <Field label="Endpoint">
        <select value={endpoint} onChange={(event) => set({ endpoint: event.currentTarget.value })}>
          <option value="">Every subscribed endpoint</option>
          {webhooks.rows.map(({ id, url }) => (
            <option key={id} value={id}>
              {shortUrl(url)} alone
            </option>
          ))}
        </select>
      </Field>
      <details class="with-fault">
        <summary>With a fault</summary>
        <FaultFields value={fault} onChange={setFault} />
      </details>
    </FormDialog>
  );
}

interface DataFieldProps {
  readonly field: EmitField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function DataField({ field: { label, options }, value, onChange }: DataFieldProps) {
  return (
    <Field label={label}>
      {options ? (
        <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">generated</option>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      ) : (
        <input
          type="text"
          autocomplete="off"
          placeholder="generated"
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

function FaultFields({ value, onChange }: { value: FaultChoice; onChange: (value: FaultChoice) => void }) {
  const set = (change: Partial<FaultChoice>) => onChange({ ...value, ...change });
  return (
    <div class="fault-fields">
      <Select
        label="Signature"
        value={value.signature}
        options={signatures}
        onChange={(signature) => set({ signature })}
      />
      <Select label="Body" value={value.body} options={bodies} onChange={(body) => set({ body })} />
      <Select label="Receiver" value={value.receiver} options={receivers} onChange={(receiver) => set({ receiver })} />
      {value.receiver === 'status' && (
        <Field label="Status">
          <input
            type="number"
            min={100}
            max={599}
            value={value.status}
            onInput={(event) => set({ status: event.currentTarget.value })}
          />
        </Field>
      )}
      <Field label="Delay" hint="Account time, such as 30s or 5m.">
        <input
          type="text"
          placeholder="none"
          value={value.delay}
          onInput={(event) => set({ delay: event.currentTarget.value })}
        />
      </Field>
      <Field label="Additional copies" hint="The copy has the same id and bytes.">
        <input
          type="number"
          min={0}
          max={100}
          placeholder="0"
          value={value.duplicate}
          onInput={(event) => set({ duplicate: event.currentTarget.value })}
        />
      </Field>
      <Select
        label="Hold until the message is"
        value={value.holdUntil}
        options={{ '': '(not held)', sent: 'sent', delivered: 'delivered', read: 'read', failed: 'failed' }}
        onChange={(holdUntil) => set({ holdUntil })}
      />
    </div>
  );
}

interface SelectProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: Readonly<Record<T, string>>;
  readonly onChange: (value: T) => void;
}

function Select<T extends string>({ label, value, options, onChange }: SelectProps<T>) {
  return (
    <Field label={label}>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {(Object.entries(options) as [T, string][]).map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </Field>
  );
}

export function RedeliverDialog({ delivery, onClose }: { delivery: Delivery; onClose: () => void }) {
  const [fault, setFault] = useState({ ...noFault, signature: 'wrong_secret' as (typeof noFault)['signature'] });
  const send = async () => {
    const webhook = slotOf(fault);
    const done = await act(
      model.value.api.post('/_sandbox/deliveries/{id}/redeliver', {
        path: { id: delivery.id },
        body: { ...(webhook && { webhook }) },
      }),
    );
    if (done) onClose();
  };
  return (
    <FormDialog title="Redeliver with a fault" onClose={onClose} does="Redeliver" onSubmit={send}>
      <FaultFields value={fault} onChange={setFault} />
    </FormDialog>
  );
}
