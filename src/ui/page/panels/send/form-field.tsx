/** A field of a form, by its kind, with the response's errors for it below. */
import { useId } from 'preact/hooks';
import { Checks, Field, PhoneField, Select, Suggestions, TextArea, TextInput } from '../../parts/index.js';
import type { FieldSpec } from './form.js';
import type { Answer } from './send.js';
import { errorOf } from './send.js';

interface Props {
  readonly field: FieldSpec;
  readonly value: string;
  /** The response to exactly the current input. */
  readonly answer: Answer | undefined;
  readonly onChange: (value: string) => void;
}

export function FormField({ field, value, answer, onChange }: Props) {
  const { name, label, kind, hint, options = [], property = name } = field;
  const id = useId();
  const error = errorOf(answer)?.details.find(({ field: found }) => found === property)?.message ?? null;
  if (kind === 'phone' || kind === 'phones') {
    return <PhoneField label={label} value={value} onChange={onChange} error={error} list={kind === 'phones'} />;
  }
  if (kind === 'events') {
    return (
      <Checks
        legend={label}
        options={options}
        chosen={value.split('\n')}
        onChange={(chosen) => onChange(chosen.join('\n'))}
      >
        {error !== null && <p class="hint bad">{error}</p>}
      </Checks>
    );
  }
  const common = { value, spellcheck: kind === 'area', autocomplete: 'off' as const, onText: onChange };
  const suggested = options.length > 0 && kind !== 'choice';
  return (
    <>
      <Field label={label} error={error} hint={hint}>
        {kind === 'area' ? (
          <TextArea {...common} rows={3} dir="auto" />
        ) : kind === 'code' ? (
          <TextArea {...common} class="mono" rows={name === 'body' ? 12 : 3} />
        ) : kind === 'choice' ? (
          <Select {...common} options={options.length === 0 ? [['', 'None']] : options} />
        ) : (
          <TextInput {...common} type={kind} dir="auto" list={suggested ? `${id}-options` : undefined} />
        )}
      </Field>
      {suggested && <Suggestions id={`${id}-options`} of={options} />}
    </>
  );
}
