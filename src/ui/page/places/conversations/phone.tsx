import { useId } from 'preact/hooks';
import { type Info, model, useRead } from '../../core/index.js';
import { TextField } from '../../parts/index.js';

/** Returns the documented behaviour of a magic number; null for an ordinary number. */
export function magicOf(phone: string, info: Info | null) {
  const [, suffix] = /^\+1\d{3}55501(\d\d)$/.exec(phone) ?? [];
  return info?.magic_numbers.find((magic) => magic.suffix === suffix) ?? null;
}

export function freeNumber(taken: readonly string[], info: Info | null): string {
  const numbers = Array.from({ length: 90 }, (_, at) => fictional(String(at + 10)));
  return numbers.find((phone) => !taken.includes(phone) && magicOf(phone, info) === null) ?? fictional('10');
}

function fictional(suffix: string): string {
  return `+120255501${suffix}`;
}

export function compactPhone(text: string): string {
  return text.replaceAll(/[\s()-]/g, '');
}

export function PhoneField({ value, ...rest }: { label: string; value: string; onText: (value: string) => void }) {
  const id = useId();
  const { api, info } = model.value;
  const query = { limit: 20, order: 'desc' as const };
  const known = useRead('customers to suggest', () => api.get('/_sandbox/customers', { query })).value;
  const magic = magicOf(compactPhone(value), info.value);
  const suggested = [
    ...(known?.items ?? []).map(({ phone, profile_name: name }) => [phone, name ?? 'Customer'] as const),
    ...(info.value?.magic_numbers ?? []).map(({ suffix, description }) => [fictional(suffix), description] as const),
  ];
  return (
    <>
      <TextField
        type="tel"
        hint={magic ? `Magic number: ${magic.description}` : '+1 202 555 01NN is reserved for fiction.'}
        value={value}
        list={id}
        {...rest}
      />
      <datalist id={id}>
        {suggested.map(([phone, words]) => (
          <option key={phone} value={phone}>
            {words}
          </option>
        ))}
      </datalist>
    </>
  );
}
