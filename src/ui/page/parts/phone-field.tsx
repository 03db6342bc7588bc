/** A field for customers' phone numbers. If the input is a magic number, its effect is explained below. */
import { useEffect, useId } from 'preact/hooks';
import { compactPhone, fictional, freeNumber, magicOf, model, sandboxInfo } from '../core/index.js';
import { Field } from './field.js';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | null;
  /** Several numbers, one per line. */
  readonly list?: boolean;
}

/** Customers to suggest. */
const mostSuggested = 50;

export function PhoneField({ label, value, onChange, error = null, list = false }: Props) {
  const { customers } = model.value;
  const info = sandboxInfo();
  const id = useId();
  useEffect(() => customers.ensure(), [customers]);
  const magic = value.split('\n').flatMap((phone) => {
    const found = magicOf(compactPhone(phone), info);
    return found ? [{ phone: phone.trim(), ...found }] : [];
  });
  const ordinary = () => freeNumber((each) => customers.get(each) !== undefined, info);
  const choose = (suffix: string) => {
    const phone = suffix === '' ? ordinary() : fictional(suffix);
    onChange(list ? [...value.split('\n').filter((line) => line.trim() !== ''), phone].join('\n') : phone);
  };
  const common = {
    value,
    onInput: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  return (
    <div class="phone-field">
      <Field
        label={label}
        error={error}
        hint={
          magic.length === 0
            ? `${list ? 'One number per line, at most 100. ' : ''}Reserved for fiction: +1 202 555 01NN.`
            : magic.map(({ phone, suffix, description }) => (
                <span key={phone} class="magic-hint">
                  {list && `${phone}: `}
                  {description} (magic number {suffix})
                </span>
              ))
        }
      >
        {list ? (
          <textarea rows={4} spellcheck={false} {...common} />
        ) : (
          <input type="tel" autocomplete="off" list={`${id}-customers`} {...common} />
        )}
      </Field>
      {!list && (
        <datalist id={`${id}-customers`}>
          {customers.rows.slice(-mostSuggested).map(({ phone, profile_name: name }) => (
            <option key={phone} value={phone}>
              {name ?? ''}
            </option>
          ))}
        </datalist>
      )}
      <Field label={list ? 'Add number' : 'Behaviour'}>
        <select
          value={list ? '?' : (magic[0]?.suffix ?? '')}
          onChange={(event) => {
            choose(event.currentTarget.value);
            if (list) event.currentTarget.value = '?';
          }}
        >
          {list && <option value="?">Choose …</option>}
          <option value="">Ordinary customer</option>
          {info?.magic_numbers.map(({ suffix, description }) => (
            <option key={suffix} value={suffix}>
              {suffix}: {description}
            </option>
          ))}
        </select>
      </Field>
    </div>
  );
}
