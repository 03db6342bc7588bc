/** The definition of a form: its fields, and the call that it makes. */
import type { Template } from '../../core/records.js';
import type { Call } from '../../core/snippets.js';

/** The input by field. A list has one entry per line. */
export type Values = Readonly<Record<string, string>>;

export interface FieldSpec {
  readonly name: string;
  readonly label: string;
  /** `phone` and `phones` explain magic numbers; `events` is a choice of several. */
  readonly kind: 'phone' | 'phones' | 'text' | 'area' | 'code' | 'number' | 'choice' | 'events';
  readonly hint?: string;
  /** Pairs of value and label. A `choice` allows only these; other kinds suggest them. */
  readonly options?: readonly (readonly [string, string])[];
  /** The property of the body, if it differs from the name. */
  readonly property?: string;
  /** The value of the field before any input. */
  readonly initial?: string;
}

export interface Form {
  readonly id: string;
  readonly title: string;
  /** A description of what the call does. */
  readonly does: string;
  readonly defaults: Values;
  readonly fields: (values: Values, templates: readonly Template[]) => readonly FieldSpec[];
  /** @returns the call, or an error message about the input */
  readonly call: (values: Values, templates: readonly Template[]) => Call | string;
  /** Parses a body into form values. This may lose parts of it, so the caller compares. */
  readonly read?: (body: Readonly<Record<string, unknown>>) => Values;
}
