/** Form fields for the faults of a delivery. */
import { Field } from '../../parts/index.js';
import { bodies, receivers, signatures, type FaultChoice } from './fault.js';

interface Props {
  readonly value: FaultChoice;
  readonly onChange: (value: FaultChoice) => void;
}

export function FaultFields({ value, onChange }: Props) {
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
