/** A field for customers' phone numbers. If the input is a magic number, its effect is explained below. */
import { useEffect, useId } from 'preact/hooks';
import { compactPhone, fictional, freeNumber, magicOf, model, sandboxInfo } from '../core/index.js';
import { Field, OptionList, Suggestions, TextArea, TextInput } from './field.js';

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
  return (
    <div class="phone-field grid gap-75">
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
          <TextArea rows={4} spellcheck={false} value={value} onText={onChange} />
        ) : (
          <TextInput type="tel" list={`${id}-customers`} value={value} onText={onChange} />
        )}
      </Field>
      {!list && (
        <Suggestions
          id={`${id}-customers`}
          of={customers.rows.slice(-mostSuggested).map(({ phone, profile_name: name }) => [phone, name ?? ''])}
        />
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
          <OptionList
            of={[
              ['', 'Ordinary customer'],
              ...(info?.magic_numbers ?? []).map(
                ({ suffix, description }) => [suffix, `${suffix}: ${description}`] as const,
              ),
            ]}
          />
        </select>
      </Field>
    </div>
  );
}
