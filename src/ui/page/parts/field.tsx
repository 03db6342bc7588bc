/** Labelled inputs of forms, with an error or a hint below. */
import { cloneElement, type ComponentChildren, type ComponentProps, type VNode } from 'preact';
import { useId } from 'preact/hooks';
import { compactPhone, done, fictional, magicOf, model, sandboxInfo, useRead } from '../core/index.js';
import { Icon } from './icon.js';
import { IconButton } from './button.js';

interface Props {
  readonly label: string;
  /** The input, which gets the attributes that connect it with the label and the hint. */
  readonly children: VNode;
  readonly hint?: ComponentChildren;
  readonly error?: string | null;
}

export function Field({ label, children, hint, error = null }: Props) {
  const id = useId();
  const words = error ?? hint;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {cloneElement(children, { id, 'aria-describedby': `${id}-hint`, 'aria-invalid': error !== null })}
      <p id={`${id}-hint`} class={error === null ? 'hint' : 'hint bad'} aria-live="polite" hidden={words === undefined}>
        {words}
      </p>
    </div>
  );
}

type Controlled<Tag extends 'input' | 'textarea' | 'select', T = string> = Omit<
  ComponentProps<Tag>,
  'icon' | 'role' | 'type' | 'size'
> & { readonly onText: (text: T) => void };

type TextProps = Controlled<'input'> & { readonly type?: string; readonly list?: string | undefined };

/** A line of text, without suggestions of the browser. */
export function TextInput({ onText, type = 'text', ...rest }: TextProps) {
  const onInput = (event: { currentTarget: { value: string } }) => onText(event.currentTarget.value);
  return <input type={type as 'text'} autocomplete="off" spellcheck={false} onInput={onInput} {...rest} />;
}

export function TextArea({ onText, ...rest }: Controlled<'textarea'>) {
  return <textarea onInput={({ currentTarget }) => onText(currentTarget.value)} {...rest} />;
}

/** Pairs of value and label. */
export type Options<T extends string = string> = readonly (readonly [T, string])[];

export function Select<T extends string>(props: Controlled<'select', T> & { readonly options: Options<T> }) {
  const { options, onText, ...rest } = props;
  return (
    <select onChange={({ currentTarget }) => onText(currentTarget.value as T)} {...rest}>
      {options.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}

type CheckProps = Omit<ComponentProps<'input'>, 'icon' | 'role' | 'type'> & {
  readonly type?: 'checkbox' | 'radio';
  readonly onCheck: (checked: boolean) => void;
};

/** A check box, or with `type="radio"` one of several choices, before its words. */
export function Check({ onCheck, children, ...rest }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" onChange={({ currentTarget }) => onCheck(currentTarget.checked)} {...rest} />
      <span>{children}</span>
    </label>
  );
}

interface SearchProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onText: (text: string) => void;
}

export function SearchBox({ label, placeholder, value, onText }: SearchProps) {
  return (
    <div class="searchbox" role="search">
      <Icon name="search" size={14} />
      <TextInput type="search" aria-label={label} placeholder={placeholder} value={value} onText={onText} />
      {value !== '' && <IconButton kind="low" icon="close" label="Clear search" onClick={() => onText('')} />}
    </div>
  );
}

interface PhoneProps {
  readonly label: string;
  readonly value: string;
  readonly onText: (value: string) => void;
  readonly error?: string | null;
}

/** The number of a customer: suggests those known and the magic ones, and says what a magic number does. */
export function PhoneField({ label, value, onText, error = null }: PhoneProps) {
  const id = useId();
  const info = sandboxInfo();
  const { api } = model.value;
  const known = useRead('customers to suggest', () =>
    done(api.GET('/_sandbox/customers', { params: { query: { limit: 20, order: 'desc' } } })),
  ).value;
  const magic = magicOf(compactPhone(value), info);
  return (
    <Field
      label={label}
      error={error}
      hint={magic ? `Magic number: ${magic.description}` : '+1 202 555 01NN is reserved for fiction.'}
    >
      <PhoneInput value={value} onText={onText} list={id}>
        <datalist id={id}>
          {known?.items.map(({ phone, profile_name: name }) => (
            <option key={phone} value={phone}>
              {name ?? 'Customer'}
            </option>
          ))}
          {info?.magic_numbers.map(({ suffix, description }) => (
            <option key={suffix} value={fictional(suffix)}>
              {description}
            </option>
          ))}
        </datalist>
      </PhoneInput>
    </Field>
  );
}

function PhoneInput({ children, ...rest }: TextProps) {
  return (
    <>
      <TextInput type="tel" {...rest} />
      {children}
    </>
  );
}

/** Returns a listener that does `work` in place of what the browser does with a form. */
export function submits(work: () => unknown): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    void work();
  };
}
