import { cloneElement, type ComponentChildren, type ComponentProps, type FunctionComponent, type VNode } from 'preact';
import { useId } from 'preact/hooks';

interface Labelled {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | null;
}

/** @param children the input, which gets the attributes that connect it with the label and the hint */
export function Field({ label, children, hint, error = null }: Labelled & { readonly children: VNode }) {
  const id = useId();
  const words = error ?? hint;
  return (
    <div class="stack field">
      <label for={id}>{label}</label>
      {cloneElement(children, { id, 'aria-describedby': `${id}-hint`, 'aria-invalid': error !== null })}
      <p id={`${id}-hint`} class={error === null ? 'hint' : 'hint bad'} aria-live="polite" hidden={words === undefined}>
        {words}
      </p>
    </div>
  );
}

function labelled<P extends object>(Input: FunctionComponent<P>) {
  return ({ label, hint, error = null, ...rest }: Labelled & P) => (
    <Field label={label} hint={hint} error={error}>
      <Input {...(rest as unknown as P)} />
    </Field>
  );
}

type Controlled<Tag extends 'input' | 'textarea' | 'select', T = string> = Omit<
  ComponentProps<Tag>,
  'icon' | 'role' | 'type' | 'size' | 'label'
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

type SelectProps<T extends string> = Controlled<'select', T> & {
  /** Values, with their labels where these differ. */
  readonly options: readonly (T | readonly [T, string])[];
};

export function Select<T extends string>({ options, onText, ...rest }: SelectProps<T>) {
  return (
    <select onChange={({ currentTarget }) => onText(currentTarget.value as T)} {...rest}>
      {options.map((option) => {
        const [value, words] = typeof option === 'string' ? [option, option] : option;
        return (
          <option key={value} value={value}>
            {words}
          </option>
        );
      })}
    </select>
  );
}

export const TextField = labelled(TextInput);
export const AreaField = labelled(TextArea);
export const SelectField = labelled(Select) as <T extends string>(props: Labelled & SelectProps<T>) => VNode;

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

export function submits(work: () => unknown): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    void work();
  };
}
