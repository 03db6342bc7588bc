/** A field of a form, by its kind, with the response's errors for it below. */
import { useId } from 'preact/hooks';
import { Field } from '../../parts/field.js';
import { PhoneField } from '../../parts/phone-field.js';
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
  return (
    <Field label={label} error={error} hint={hint}>
      {(attributes) => {
        const common = {
          ...attributes,
          value,
          spellcheck: kind === 'area',
          autocomplete: 'off' as const,
          onInput: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
        };
        switch (kind) {
          case 'area':
            return <textarea {...common} rows={3} dir="auto" />;
          case 'code':
            return <textarea {...common} class="mono" rows={name === 'body' ? 12 : 3} />;
          case 'choice':
            return (
              <select {...common}>
                {options.length === 0 && <option value="">None</option>}
                {options.map(([each, words]) => (
                  <option key={each} value={each}>
                    {words}
                  </option>
                ))}
              </select>
            );
          default:
            return (
              <>
                <input {...common} type={kind} dir="auto" list={options.length > 0 ? `${id}-options` : undefined} />
                {options.length > 0 && (
                  <datalist id={`${id}-options`}>
                    {options.map(([each, words]) => (
                      <option key={each} value={each}>
                        {words}
                      </option>
                    ))}
                  </datalist>
                )}
              </>
            );
        }
      }}
    </Field>
  );
}
