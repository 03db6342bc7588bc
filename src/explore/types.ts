/** The types of an exploration: points of a story, faults, and the result of each try. */
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

/** The parts of an account that an exploration uses, in this process or another one. */
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

/** The kinds of deviations. */
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
  /** Is the same in each run of the same story. */
  readonly id: string;
  /** A name, such as `2nd message.send to +12025550110`. */
  readonly title: string;
  /** The operation (`message.send`), the type of the event, or `receiver`. */
  readonly kind: string;
  /** Hook, conditions and number of the rule that applies at this point. */
  readonly when: RuleInput['when'];
  readonly match: Readonly<Record<string, unknown>>;
  readonly nth: number;
  /** The customer concerned, if there is one. */
  readonly to: string | null;
  readonly template: string | null;
}

/**
 * What an application can do about a fault. `recoverable`: it must reach the same end state. `uncertain`: the same, if it can
 * find out what happened. `final`: it cannot recover; it must not repeat itself or harm others. `throttle`: only the calls count.
 */
export type FaultClass = 'recoverable' | 'uncertain' | 'final' | 'throttle';

export interface Fault {
  readonly id: string;
  /** Continues a sentence that begins with the name of the point: `is answered 503 once`. */
  readonly words: string;
  readonly class: FaultClass;
  /** Of a failed call: whether the service did what was asked all the same. Unknown if absent. */
  readonly taken?: boolean;
  /** Account milliseconds after which the fault is over. */
  readonly lastsMs: number;
  /** If two faults cause the same break, the one with the lower rank is shown. */
  readonly rank: number;
  /** Why a deviation after this fault is doubtful, in a sentence. A duplicate is not doubtful. */
  readonly doubt?: string;
  /** The actions of the rule; absent for a fault that no rule injects. */
  readonly then?: RuleInput['then'];
  /** The application is restarted after the nth call, where n is the number of the point. */
  readonly restart?: true;
  /** A setting of the dialect that differs for the whole try. */
  readonly setting?: { readonly key: string; readonly value: string | number | boolean };
  /** Conditions in addition to those of the point. */
  readonly match?: Readonly<Record<string, unknown>>;
  /** Replaces the number of the point. */
  readonly pick?: Readonly<Record<string, unknown>>;
  readonly active?: RuleInput['active'];
  readonly when?: RuleInput['when'];
}

/** A fault at a point. */
export interface Placed {
  readonly point: Point;
  readonly fault: Fault;
}

/** The end of the application and its story, as they report it. */
export interface Ending {
  /** Why the story failed, such as an exit code or an error; null if it did not. */
  readonly failure: string | null;
  readonly timedOut: boolean;
  /** The state that the application reports. */
  readonly said: unknown;
  /** Whether it was restarted. */
  readonly restarted?: boolean;
  /** Whether a server ended without being stopped. */
  readonly ended?: boolean;
}

/** The facts about a run that the sandbox has at its end. */
export interface Facts {
  readonly startedAt: string;
  readonly endedAt: string;
  /** Whether the story moved the clock itself, so that times can be compared. */
  readonly steered: boolean;
  readonly messages: readonly Message[];
  readonly otps: readonly Otp[];
  readonly templates: readonly Template[];
  readonly endpoints: readonly Endpoint[];
  readonly requests: readonly JournalRequest[];
  readonly deliveries: readonly Delivery[];
  /** How often each injected rule applied. */
  readonly hits: Readonly<Record<string, number>>;
}

export interface Run extends Ending {
  readonly facts: Facts;
}

export interface Deviation {
  readonly kind: DeviationKind;
  /** Names what deviates, and is the same in another run with the same fault. */
  readonly subject: string;
  /** The expected and the found state, in a sentence. */
  readonly sentence: string;
  /** Why the deviation is doubtful; null if it is not. */
  readonly doubt: string | null;
  /** An expectation that the run does not meet; null if the scenario language cannot express it. */
  readonly expect: Readonly<Record<string, unknown>> | null;
}

export type CellState = 'fine' | 'broken' | 'doubtful' | 'not reached' | 'not tried' | 'ignored';

export interface Cell {
  readonly placed: readonly Placed[];
  readonly state: CellState;
  readonly deviations: readonly Deviation[];
  /** Present if the try deviates. */
  readonly outcome: Outcome | null;
}

/** A run in words. */
export interface Outcome {
  /** The end state, one line for each fact. */
  readonly end: readonly string[];
  /** The calls and delivery attempts, in order. */
  readonly story: readonly Happening[];
}

export interface Happening {
  /** Time from the start, such as `1m30s`. */
  readonly at: string;
  readonly words: string;
}

/** A group of cells that broke in the same way. The smallest one was repeated alone. */
export interface Break {
  readonly kind: DeviationKind;
  /** The kinds of points at which the break occurs. */
  readonly at: string;
  readonly smallest: Cell;
  readonly deviation: Deviation;
  /** Number of tries that broke in this way. */
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

/** How long an application may take to end after the story. */
export interface Patience {
  /** Machine milliseconds; 0 for the usual time. */
  readonly realMs: number;
  /** Whether the end state is the expected one, so that waiting can stop. */
  readonly isOver: (facts: Facts) => boolean;
}

/** Plays the story once in a new account. */
export type Play = (placed: readonly Placed[], patience: Patience) => Promise<Run>;
