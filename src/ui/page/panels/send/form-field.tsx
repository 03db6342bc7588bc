/** A field of a form, by its kind, with the response's errors for it below. */
import { useId } from 'preact/hooks';
import { Field, PhoneField } from '../../parts/index.js';
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
    const chosen = value.split('\n');
    return (
      <fieldset class="choice">
        <legend>{label}</legend>
        {options.map(([each]) => (
          <label key={each}>
            <input
              type="checkbox"
              checked={chosen.includes(each)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(
                  options
                    .flatMap(([other]) => ((other === each ? checked : chosen.includes(other)) ? [other] : []))
                    .join('\n'),
                )
              }
            />{' '}
            {each}
          </label>
        ))}
        {error !== null && <p class="hint bad">{error}</p>}
      </fieldset>
    );
  }
  const common = {
    value,
    spellcheck: kind === 'area',
    autocomplete: 'off' as const,
    onInput: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  const choices = options.map(([each, words]) => (
    <option key={each} value={each}>
      {words}
    </option>
  ));
  const suggested = options.length > 0 && kind !== 'choice';
  return (
    <>
      <Field label={label} error={error} hint={hint}>
        {kind === 'area' ? (
          <textarea {...common} rows={3} dir="auto" />
        ) : kind === 'code' ? (
          <textarea {...common} class="mono" rows={name === 'body' ? 12 : 3} />
        ) : kind === 'choice' ? (
          <select {...common}>{options.length === 0 ? <option value="">None</option> : choices}</select>
        ) : (
          <input {...common} type={kind} dir="auto" list={suggested ? `${id}-options` : undefined} />
        )}
      </Field>
      {suggested && <datalist id={`${id}-options`}>{choices}</datalist>}
    </>
  );
}
