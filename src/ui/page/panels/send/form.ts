/** What a form is: fields, and the call that they make. */
import type { Template } from '../../core/records.js';
import type { Call } from '../../core/snippets.js';

/** What is typed, by field. A list has an entry per line. */
export type Values = Readonly<Record<string, string>>;

export interface FieldSpec {
  readonly name: string;
  readonly label: string;
  /** `phone` and `phones` explain magic numbers; `events` is a choice of several. */
  readonly kind: 'phone' | 'phones' | 'text' | 'area' | 'code' | 'number' | 'choice' | 'events';
  readonly hint?: string;
  /** Value and words: all that a `choice` allows, suggestions of any other. */
  readonly options?: readonly (readonly [string, string])[];
  /** The property of the body, where it is not the name. */
  readonly property?: string;
  /** What is in the field while nothing is typed. */
  readonly initial?: string;
}

export interface Form {
  readonly id: string;
  readonly title: string;
  /** What sending it does. */
  readonly does: string;
  readonly defaults: Values;
  readonly fields: (values: Values, templates: readonly Template[]) => readonly FieldSpec[];
  /** @returns the call, or what is wrong with the form as a sentence */
  readonly call: (values: Values, templates: readonly Template[]) => Call | string;
  /** Reads a body. What cannot be read may be lost: the caller compares. */
  readonly read?: (body: Readonly<Record<string, unknown>>) => Values;
}
