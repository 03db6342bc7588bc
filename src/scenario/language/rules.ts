/** A rule as written in a scenario: its hook, its conditions, how often it applies and what it does. */
import type { FactName, Hook } from './hooks.js';
import type { DurationText, Slots } from './slots.js';

/** A condition; if there are several keys, all must hold. */
export interface TextMatcher {
  contains?: string;
  equals?: string;
  /** A regular expression without slashes, or `/regex/flags`. */
  matches?: string;
  /** true: the value is absent or empty; false: it is present. */
  missing?: boolean;
  not?: Matcher;
  any?: Matcher[];
  /** Numbers only, inclusive. */
  min?: number;
  max?: number;
}

/** Exact text, `*` glob, `/regex/flags`, a list (any of them), or an object of conditions. Scalars keep their source text. */
export type Matcher = string | Matcher[] | TextMatcher;

/** Conditions by number of a variable (`"1"` for `{{1}}`). */
export type VariablesMatcher = Record<string, Matcher>;

/** Conditions on the history of the customer since the activation. */
export interface CustomerMatcher {
  /** A text that the customer wrote; matches if one of them does. */
  said?: Matcher;
  /** The status of the latest message to the customer. */
  last_status?: Matcher;
  /** How many messages and codes were accepted for the customer. */
  sends?: Matcher;
}

/** All named facts must match, `not` must not, and at least one of `any` must. */
export type Match = { [K in Exclude<FactName, 'batch' | 'variables' | 'customer' | 'after'>]?: Matcher } & {
  variables?: Matcher | VariablesMatcher;
  batch?: boolean;
  customer?: CustomerMatcher;
  /** The id of a rule that has applied to this customer. */
  after?: string;
  not?: Match;
  any?: Match[];
};

export const PERS = ['account', 'recipient', 'template', 'endpoint'] as const;
export type Per = (typeof PERS)[number];

/** Which of the matching calls a rule applies to, counted from 1; if there are several keys, all must hold. */
export interface Pick {
  first?: number;
  nth?: number;
  every?: number;
  after?: number;
  between?: [number, number];
  /** `10%` of the calls. */
  chance?: string;
  /** `10%` of the customers: the same ones for every rule that names the same share and group. */
  share?: string;
  group?: string;
}

/** Offsets from activation; `from` is included, `to` is not. */
export interface Active {
  from?: DurationText;
  to?: DurationText;
}

export interface Rule {
  /** Default: `rules[N]`. */
  id?: string;
  when: Hook;
  match?: Match;
  pick?: Pick;
  per?: Per;
  active?: Active;
  then: Slots;
}

/** A rule with its id, and the place where it is defined. */
export interface LoadedRule extends Rule {
  id: string;
  source: { file: string; line: number };
}
