/** The forms of faults. */
import type { Fault, FaultClass, RuleInput } from '../facts/types.js';

export type Then = RuleInput['then'];
type Slot = Readonly<Record<string, unknown>>;

export const faultsOf =
  (of: FaultClass) =>
  (rank: number, id: string, words: string, rule?: Fault['rule'], more: Partial<Fault> = {}): Fault => ({
    ...{ id, words, class: of, rank, ...(rule && { rule }) },
    ...more,
  });
export const recoverable = faultsOf('recoverable');
export const uncertain = faultsOf('uncertain');
export const final = faultsOf('final');
export const outages = faultsOf('outage');

type Rule = NonNullable<Fault['rule']>;
type Conditions = Omit<Rule, 'then'>;

export const doing = (then: Then, more: Conditions = {}): Rule => ({ then, ...more });
export const respond = (slot: Slot, more?: Conditions): Rule => doing({ respond: slot }, more);
export const webhook = (slot: Slot, more?: Conditions): Rule => doing({ webhook: slot }, more);

/** Whatever the number of the call or the attempt. */
export const always = { pick: {} };

/** Faults of any connection, which show the same at each call of a kind. */
export const once = { once: true } as const;
