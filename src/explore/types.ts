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
  readonly rules: { list(): Promise<Rule[]> };
  readonly templates: { list(): Promise<Template[]> };
  readonly webhooks: { list(): Promise<Endpoint[]> };
  messages(filter: { readonly direction: 'outbound' }): Promise<Message[]>;
  otps(): Promise<Otp[]>;
  requests(): Promise<JournalRequest[]>;
  deliveries(): Promise<Delivery[]>;
  idle(timeout: string): Promise<unknown>;
  call<T>(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object): Promise<T>;
}

/** The kinds of deviations. */
export const deviationKinds = [
  'duplicate',
  'lost',
  'late',
  'endpoint lost',
  'state differs',
  'failure hidden',
  'application failed',
  'useless calls',
  'never settles',
] as const;
export type DeviationKind = (typeof deviationKinds)[number];

/** A place at which the application depends on the service. */
export interface Point {
  /** Names the point on the command line: `message.send:order_update:+12025550110:2`. Is the same in each run. */
  readonly id: string;
  /** A name, such as `2nd message.send (order_update to +12025550110)`. */
  readonly title: string;
  /** The operation (`message.send`), the type of the event, `service`, `receiver` or `application`. */
  readonly kind: string;
  /** Hook, conditions and number of the rule that applies at this point. */
  readonly when: RuleInput['when'];
  readonly match: Readonly<Record<string, unknown>>;
  readonly nth: number;
  /** The customer concerned, if there is one. */
  readonly to: string | null;
  readonly template: string | null;
  /** Whether it is a send to several recipients. */
  readonly batch?: boolean;
  /** What the key of the account adds to the key of the try: test runners use an account per test. */
  readonly account: string;
  /** Account milliseconds from the start. */
  readonly atMs: number;
}

/**
 * What an application can do about a fault. `recoverable`: it must reach the same end state. `uncertain`: the same, or it
 * says that the outcome is unknown. `outage`: the same, or it says that it gave up. `final`: it cannot recover; it must say
 * so and stop. `throttle`: only the calls count.
 */
export type FaultClass = 'recoverable' | 'uncertain' | 'outage' | 'final' | 'throttle';

export interface Fault {
  readonly id: string;
  /** Continues a sentence that begins with the name of the point: `is answered 503 once`. */
  readonly words: string;
  readonly class: FaultClass;
  /** Of a failed call: whether the service did what was asked all the same. Unknown if absent. */
  readonly taken?: boolean;
  /** The order of tries: faults of this field come before those of any network; the lower one is shown. */
  readonly rank: number;
  /** Account milliseconds after which the fault is over. */
  readonly lastsMs?: number;
  /** Whether the application gets the event only after that. */
  readonly delays?: true;
  /** The actions of the rule; absent for a fault that no rule injects. */
  readonly then?: RuleInput['then'];
  /** The application is restarted so long after the rule applied, or after a step of the story. */
  readonly restart?: string;
  /** An event in addition to those of the story, sent once the application has an endpoint. */
  readonly emit?: Readonly<Record<string, unknown>>;
  /** Conditions in addition to those of the point. */
  readonly match?: Readonly<Record<string, unknown>>;
  /** Replaces the number of the point. */
  readonly pick?: Readonly<Record<string, unknown>>;
  readonly active?: RuleInput['active'];
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
  /** Whether the application ended by a signal or an uncaught error, instead of reporting a failure. */
  readonly crashed?: boolean;
  /** Whether the failure is the exit code of the application. */
  readonly exited?: boolean;
  readonly timedOut: boolean;
  /** The state that the application reports. */
  readonly said: unknown;
  /** What it wrote, and the statuses with which it answered its users. */
  readonly output?: string;
  /** Whether it was restarted. */
  readonly restarted?: boolean;
  /** Whether it still waited for the response to a call. */
  readonly waits?: boolean;
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
  /** What its key adds to the key of the try. */
  readonly account: string;
}

/** One play of the story. */
export interface Run extends Ending {
  /** The facts of all its accounts together. */
  readonly facts: Facts;
  /** The facts of each account: test runners use one for each test. */
  readonly accounts: readonly Facts[];
  /** Machine milliseconds. */
  readonly tookMs: number;
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

/** A fault at a point, and its result. */
export interface Cell {
  /** Names the cell for `--only` and `--ignore`: the id of the point, a slash and the id of the fault. */
  readonly id: string;
  readonly title: string;
  /** The kind of its point. */
  readonly at: string;
  readonly state: CellState;
  readonly deviations: readonly Deviation[];
  /** Machine seconds. */
  readonly seconds: number;
  /** If the try deviates: how it ended, a line for each fact. */
  readonly end: readonly string[];
}

/** What broke: it happened twice with the fault and not without it. */
export interface Break {
  readonly kind: DeviationKind;
  /** The kind of point at which it occurs. */
  readonly at: string;
  readonly cell: Cell;
  readonly sentence: string;
  /** Number of tries that broke in this way. */
  readonly tries: number;
  readonly ignored: string | null;
  /** The name of its scenario file; null if there is none. */
  readonly file: string | null;
  /** Why there is no file; null if there is one. */
  readonly noFile: string | null;
  readonly scenario: string;
}

export interface Report {
  /** How a run without faults ends, a line for each fact. */
  readonly baseline: readonly string[];
  readonly points: readonly Pick<Point, 'id' | 'title' | 'kind'>[];
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
}
