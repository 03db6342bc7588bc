/** Labelled inputs of forms, with an error or a hint below. */
import { cloneElement, type ComponentChildren, type ComponentProps, type VNode } from 'preact';
import { useId } from 'preact/hooks';

interface Props {
  readonly label: string;
  /** The input, which gets the attributes that connect it with the label and the hint. */
  readonly children: VNode;
  readonly hint?: ComponentChildren;
  readonly error?: string | null;
}

export function Field({ label, children, hint, error = null }: Props) {
  const id = useId();
  return (
    <div class="field stack gap-25">
      <label for={id}>{label}</label>
      {cloneElement(children, { id, 'aria-describedby': `${id}-hint`, 'aria-invalid': error !== null })}
      <p id={`${id}-hint`} class={error === null ? 'hint' : 'hint bad'} aria-live="polite">
        {error ?? hint}
      </p>
    </div>
  );
}

type Controlled<Tag extends 'input' | 'textarea' | 'select', T = string> = Omit<
  ComponentProps<Tag>,
  'icon' | 'role' | 'type' | 'size'
> & { readonly onText: (text: T) => void };

/** A line of text, without suggestions of the browser. */
interface TextProps extends Controlled<'input'> {
  readonly type?: string;
  readonly list?: string | undefined;
}

export function TextInput({ onText, type = 'text', ...rest }: TextProps) {
  const onInput = (event: { currentTarget: { value: string } }) => onText(event.currentTarget.value);
  return <input type={type as 'text'} autocomplete="off" onInput={onInput} {...rest} />;
}

export function TextArea({ onText, ...rest }: Controlled<'textarea'>) {
  return <textarea onInput={({ currentTarget }) => onText(currentTarget.value)} {...rest} />;
}

/** Pairs of value and label. */
export type Options<T extends string = string> = readonly (readonly [T, string])[];

/** As the children of a `select` or a `datalist`. */
export function OptionList({ of }: { of: Options }) {
  return of.map(([value, words]) => (
    <option key={value} value={value}>
      {words}
    </option>
  ));
}

export function Select<T extends string>(props: Controlled<'select', T> & { readonly options: Options<T> }) {
  const { options, onText, ...rest } = props;
  return (
    <select onChange={({ currentTarget }) => onText(currentTarget.value as T)} {...rest}>
      <OptionList of={options} />
    </select>
  );
}

/** What the browser suggests for an input whose `list` is this id. */
export function Suggestions({ id, of }: { id: string; of: Options }) {
  return (
    <datalist id={id}>
      <OptionList of={of} />
    </datalist>
  );
}

type CheckProps = Omit<ComponentProps<'input'>, 'icon' | 'role' | 'type'> & {
  readonly type?: 'checkbox' | 'radio';
  readonly onCheck: (checked: boolean) => void;
};

/** A check box, or with `type="radio"` one of several choices, before its words. */
export function Check({ onCheck, children, ...rest }: CheckProps) {
  return (
    <label>
      <input type="checkbox" onChange={({ currentTarget }) => onCheck(currentTarget.checked)} {...rest} /> {children}
    </label>
  );
}

interface ChecksProps<T extends string> {
  readonly legend: string;
  readonly options: Options<T>;
  readonly chosen: readonly string[];
  /** Receives the chosen values, in the order of the options. */
  readonly onChange: (chosen: T[]) => void;
  readonly children?: ComponentChildren;
}

/** A choice of any number of options. */
export function Checks<T extends string>({ legend, options, chosen, onChange, children }: ChecksProps<T>) {
  const values = options.map(([value]) => value);
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      {options.map(([value, words]) => (
        <Check
          key={value}
          checked={chosen.includes(value)}
          onCheck={(checked) => onChange(values.filter((each) => (each === value ? checked : chosen.includes(each))))}
        >
          {words}
        </Check>
      ))}
      {children}
    </fieldset>
  );
}

/** Returns a listener that does `work` in place of what the browser does with a form. */
export function submits(work: () => unknown): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    void work();
  };
}
