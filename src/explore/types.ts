/** What is explored: points of a story, faults at them, and what came of each try. */
import type { Rule as ScenarioRule } from '../generated/scenario.js';
import type { components } from '../generated/control.js';

type Schemas = components['schemas'];
export type Clock = Schemas['Clock'];
export type Delivery = Schemas['Delivery'];
export type Endpoint = Schemas['Endpoint'];
export type JournalRequest = Schemas['JournalRequest'];
export type Message = Schemas['Message'];
export type Otp = Schemas['Otp'];
export type Rule = Schemas['Rule'];
export type RuleInput = ScenarioRule;
export type Template = Schemas['Template'];

/** What an exploration needs of an account, in this process or elsewhere. */
export interface ExploredAccount {
  readonly apiKey: string;
  readonly clock: { now(): Promise<string>; get(): Promise<Clock> };
  readonly rules: { add(rule: RuleInput): Promise<Rule>; list(): Promise<Rule[]> };
  readonly templates: { list(): Promise<Template[]> };
  readonly webhooks: { list(): Promise<Endpoint[]> };
  messages(filter: { readonly direction: 'outbound' }): Promise<Message[]>;
  otps(): Promise<Otp[]>;
  requests(): Promise<JournalRequest[]>;
  deliveries(): Promise<Delivery[]>;
  idle(timeout: string): Promise<unknown>;
  call<T>(method: 'PUT' | 'DELETE', path: string, body?: object): Promise<T>;
}

/** How a deviation shows. */
export const deviationKinds = [
  'duplicate',
  'lost',
  'late',
  'endpoint lost',
  'state differs',
  'application failed',
  'useless calls',
  'never settles',
] as const;
export type DeviationKind = (typeof deviationKinds)[number];

/** A place at which the application depends on the service. */
export interface Point {
  /** The same in each run of the same story. */
  readonly id: string;
  /** In words, such as `2nd message.send to +12025550110`. */
  readonly title: string;
  /** The operation (`message.send`), the type of the event, or `receiver`. */
  readonly kind: string;
  /** Hook, conditions and number of the rule that strikes there. */
  readonly when: RuleInput['when'];
  readonly match: Readonly<Record<string, unknown>>;
  readonly nth: number;
  /** The customer concerned, if there is one. */
  readonly to: string | null;
  readonly template: string | null;
}

/**
 * What an application can do about a fault. `recoverable`: it must end as without it. `uncertain`: the same, where it can
 * find out what happened. `final`: it cannot recover; it must not repeat itself or harm others. `throttle`: only the calls count.
 */
export type FaultClass = 'recoverable' | 'uncertain' | 'final' | 'throttle';

export interface Fault {
  readonly id: string;
  /** In a sentence that goes on from the name of the point: `is answered 503 once`. */
  readonly words: string;
  readonly class: FaultClass;
  /** Of a failed call: whether the service did what was asked all the same. Unknown if absent. */
  readonly taken?: boolean;
  /** Account milliseconds after which the fault is over. */
  readonly lastsMs: number;
  /** Of two faults that break the same, the lower one is shown. */
  readonly rank: number;
  /** Why a deviation after it proves nothing, in a sentence; what the customer gets twice is a proof all the same. */
  readonly doubt?: string;
  /** What the rule does; a fault that no rule injects has none. */
  readonly then?: RuleInput['then'];
  /** The application is restarted after the nth call, where n is the number of the point. */
  readonly restart?: true;
  /** A setting of the dialect that differs for the whole try. */
  readonly setting?: { readonly key: string; readonly value: string | number | boolean };
  /** Conditions beside those of the point. */
  readonly match?: Readonly<Record<string, unknown>>;
  /** Instead of the nth one. */
  readonly pick?: Readonly<Record<string, unknown>>;
  readonly active?: RuleInput['active'];
  readonly when?: RuleInput['when'];
}

/** A fault at a point. */
export interface Placed {
  readonly point: Point;
  readonly fault: Fault;
}

/** How the application and its story ended, as they say. */
export interface Ending {
  /** Why it counts as failed: an exit code, an error. Null: it went well. */
  readonly failure: string | null;
  readonly timedOut: boolean;
  /** What the application says about its state. */
  readonly said: unknown;
  /** Whether it was restarted. */
  readonly restarted?: boolean;
  /** Whether it is a server that ended by itself. */
  readonly ended?: boolean;
}

/** What the sandbox knows about a run at its end. */
export interface Facts {
  readonly startedAt: string;
  readonly endedAt: string;
  /** Whether the story moved the clock by itself, so that times mean something. */
  readonly steered: boolean;
  readonly messages: readonly Message[];
  readonly otps: readonly Otp[];
  readonly templates: readonly Template[];
  readonly endpoints: readonly Endpoint[];
  readonly requests: readonly JournalRequest[];
  readonly deliveries: readonly Delivery[];
  /** How often each injected rule struck. */
  readonly hits: Readonly<Record<string, number>>;
}

export interface Run extends Ending {
  readonly facts: Facts;
}

export interface Deviation {
  readonly kind: DeviationKind;
  /** What deviates, the same in another run of the same fault. */
  readonly subject: string;
  /** What was expected and what was found, in a sentence. */
  readonly sentence: string;
  /** Why it proves nothing; null: it is a proof. */
  readonly doubt: string | null;
  /** An expectation of a scenario that the run does not meet; null where the scenario language has none for it. */
  readonly expect: Readonly<Record<string, unknown>> | null;
}

export type CellState = 'fine' | 'broken' | 'doubtful' | 'not reached' | 'not tried' | 'ignored';

export interface Cell {
  readonly placed: readonly Placed[];
  readonly state: CellState;
  readonly deviations: readonly Deviation[];
  /** Of a try that deviates. */
  readonly outcome: Outcome | null;
}

/** A run as a person reads it. */
export interface Outcome {
  /** Its end state, a line each. */
  readonly end: readonly string[];
  /** Its calls and attempts of deliveries in their order. */
  readonly story: readonly Happening[];
}

export interface Happening {
  /** From the start, such as `1m30s`. */
  readonly at: string;
  readonly words: string;
}

/** Cells that broke in the same way; the smallest was tried twice. */
export interface Break {
  readonly kind: DeviationKind;
  /** The kinds of points at which it shows. */
  readonly at: string;
  readonly smallest: Cell;
  readonly deviation: Deviation;
  /** How many tries broke so. */
  readonly tries: number;
  readonly ignored: string | null;
}

export interface Report {
  readonly seed: number;
  readonly baseline: Outcome;
  readonly points: readonly Point[];
  readonly cells: readonly Cell[];
  readonly breaks: readonly Break[];
  readonly tried: number;
  readonly seconds: number;
  readonly notes: readonly string[];
}

export interface Progress {
  readonly done: number;
  readonly left: number;
  readonly broken: number;
  readonly seconds: number;
  readonly latest: string;
  /** Makes a report of the tries so far. */
  readonly report: () => Report;
}

/** How long an application may take to come to its end by itself, after the story. */
export interface Patience {
  /** Machine milliseconds; 0: as usual. */
  readonly realMs: number;
  /** Whether the end is the expected one, so that there is nothing to wait for. */
  readonly isOver: (facts: Facts) => boolean;
}

/** Plays the story once in a new account. */
export type Play = (placed: readonly Placed[], patience: Patience) => Promise<Run>;
