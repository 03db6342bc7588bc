/** The types of an exploration: points of a story, faults, and the result of each try. */
import type { Rule as ScenarioRule } from '../../generated/scenario.js';
import type { Facts } from './facts.js';

export type RuleInput = ScenarioRule;

export type DeviationKind =
  | 'duplicate'
  | 'lost'
  | 'endpoint lost'
  | 'state differs'
  | 'failure hidden'
  | 'check failed'
  | 'application failed'
  | 'useless calls'
  | 'never settles';

export interface Point {
  /** Names the point on the command line: `message.send:order_update:+12025550110:2`. Is the same in each run. */
  readonly id: string;
  readonly title: string;
  /** The operation (`message.send`), the type of the event, `service` or `application`. */
  readonly kind: string;
  /** Hook, conditions and number of the rule that applies at this point. */
  readonly when: RuleInput['when'];
  readonly match: Readonly<Record<string, unknown>>;
  readonly nth: number;
  readonly to: string | null;
  readonly template: string | null;
  readonly batch?: boolean;
  /** The result of a verification: one that rejects a code is a point of another kind. */
  readonly outcome?: string;
  /** True if the service rejects the call without a fault, or its message fails, so that a fallback follows. */
  readonly isRejected?: boolean;
  /** The text of a customer's message, or the id of its button, without numbers: each may mean something else to the application. */
  readonly says?: string;
  /** The first type of event for which a registration asks. */
  readonly event?: string | null;
  /** All customers of a batch. */
  readonly recipients?: readonly unknown[];
  /** Test runners use an account per test, whose key begins with the key of the try. */
  readonly account: string;
  /** Account milliseconds from the start. */
  readonly atMs: number;
  /** Kinds of the calls that an outage can affect. */
  readonly affected?: readonly string[];
  /** Time that divides an outage from all earlier calls; absent if none does. The number of polls before it varies. */
  readonly sinceMs?: number;
}

/**
 * The possible reactions of an application to a fault. `recoverable`: it must reach the same end state. `uncertain`: the same, or it
 * says that the outcome is unknown. `outage`: the same, or it says that it gave up. `final`: it cannot recover; it must say
 * so and stop. `throttle`: only the calls count. `extra`: it may do anything but crash.
 */
export type FaultClass = 'recoverable' | 'uncertain' | 'outage' | 'final' | 'throttle' | 'extra';

export interface Fault {
  readonly id: string;
  /** Continues a sentence that begins with the name of the point: `gets a 503 once`. */
  readonly words: string;
  readonly class: FaultClass;
  /** The service processed the failed call all the same. Unknown if absent. */
  readonly taken?: boolean;
  /** The order of tries: messaging faults come before network faults; the lower one is shown. */
  readonly rank: number;
  /** The injecting rule's additions to hook, conditions and number of the point; absent without such a rule. */
  readonly rule?: Omit<RuleInput, 'id' | 'when'>;
  /** The application is restarted so long after the rule applied, or after a step of the story. */
  readonly restart?: string;
  /** True if its endpoints are paused just before the restart. */
  readonly pauses?: boolean;
  /** Account milliseconds from the start: until then, time goes on although a call failed or has no response yet. */
  readonly hurriesMs?: number;
  /** True if it shows only beside the next such call, which an application may leave out meanwhile. */
  readonly needsNext?: boolean;
  /** True if it is tried at one point of each kind, template and type: it shows the same at the others. */
  readonly once?: boolean;
  /** An event in addition to the story's events, sent once the application has an endpoint. */
  readonly emit?: Readonly<Record<string, unknown>>;
  /** The step that takes the place of one of the story, whose number is counted from 0. */
  readonly replaced?: { readonly index: number; readonly step: object };
  /** Steps in addition to the story's. */
  readonly steps?: readonly object[];
  /** A play without the fault, beside which a doubtful cell is judged. */
  readonly control?: Fault;
  /** A message of a customer in addition to the story's. */
  readonly inbound?: Readonly<Record<string, string>>;
}

/** A message that the application must send after a fault, once more than without it. */
export interface Required {
  /** Default: the customer of the fault; `*`: any. */
  readonly to?: string;
  readonly type?: string;
  readonly template?: string;
}

export interface Placed {
  /** The id of the point, a slash and the id of the fault. */
  readonly id: string;
  readonly title: string;
  readonly point: Point;
  readonly fault: Fault;
  readonly required?: Required;
  /** True if other faults of its run leave something behind. */
  readonly isBeside?: boolean;
}

export interface FailedCheck {
  /** The check and what was found, in a sentence. */
  readonly sentence: string;
  /** True if it forbids something that happened: no fault excuses that. */
  readonly isForbidden: boolean;
  /** True if it allows some, but fewer. */
  readonly isLimit?: boolean;
  /** `isSoon`: it happened so soon after a step that the application may not have known of it. `isLate`: some of it, a minute later. */
  readonly isSoon?: boolean;
  readonly isLate?: boolean;
  /** The customers whose messages it names. */
  readonly customers?: readonly string[];
}

export interface Answer {
  /** Such as `POST /login`. */
  readonly call: string;
  /** The body of the call, and of the response. */
  readonly sent?: unknown;
  readonly said?: unknown;
  /** Null without a response. */
  readonly status: number | null;
}

export interface UnmetStep {
  /** The expected and the found result, in a sentence. */
  readonly sentence: string;
  /** Account milliseconds from the beginning of the story to the step. */
  readonly atMs: number;
}

export interface Ending {
  /** For example, an exit code or an error; null if the story did not fail. */
  readonly failure: string | null;
  /** True if the application ended by a signal or an uncaught error, instead of reporting a failure. */
  readonly crashed?: boolean;
  readonly exited?: boolean;
  readonly timedOut: boolean;
  readonly said: unknown;
  /** Its output, and the statuses of its responses to users. */
  readonly output?: string;
  readonly failedChecks?: readonly FailedCheck[];
  /** Responses to the steps of the story, in order. */
  readonly answers?: readonly Answer[];
  /** Steps whose result is not the expected one. */
  readonly unmetSteps?: readonly UnmetStep[];
  readonly restarted?: boolean;
  /** True if it asked its user to come back later than a user of a try does. */
  readonly sentAway?: boolean;
  /** True if at least as much account time as machine time passed between two of its calls, once the story had begun. */
  readonly flows?: boolean;
  readonly waits?: boolean;
}

export interface Run extends Ending {
  readonly facts: Facts;
  /** The facts of each account: test runners use one for each test. */
  readonly accounts: readonly Facts[];
  /** Account times at which the tool's own user repeated a call to the application. */
  readonly comebacks?: readonly string[];
  /** True if the test of an account failed; absent for accounts of which no test runner reports it. */
  readonly tests?: ReadonlyMap<string, boolean>;
  /** Machine milliseconds. */
  readonly tookMs: number;
}

export interface Deviation {
  readonly kind: DeviationKind;
  /** The expected and the found state, in a sentence. */
  readonly sentence: string;
  /** Null if the deviation is certain. */
  readonly doubt: string | null;
  /** An expectation that the run does not meet; null if the scenario language cannot express it. */
  readonly expect: Readonly<Record<string, unknown>> | null;
}

export type CellState = 'fine' | 'broken' | 'doubtful' | 'not reached' | 'not tried' | 'ignored';

export interface Cell {
  /** Names the cell for `--only` and `--ignore`. */
  readonly id: string;
  readonly title: string;
  readonly at: string;
  readonly state: CellState;
  readonly deviations: readonly Deviation[];
  /** Differences from the run without the fault that a correct application may have as well, in sentences. */
  readonly allowed: readonly string[];
  /** Messages that were sent only after this message had failed. */
  readonly instead: readonly Required[];
  /** Machine seconds. */
  readonly seconds: number;
  /** If the try deviates: how it ended, a line for each fact. */
  readonly end: readonly string[];
}

/** A difference that occurred twice with the fault and not without it. */
export interface Break {
  readonly kind: DeviationKind;
  readonly at: string;
  readonly cell: Cell;
  readonly sentence: string;
  readonly tries: number;
  readonly ignored: string | null;
  readonly file: string | null;
  /** Null if there is a file. */
  readonly noFile: string | null;
  readonly scenario: string;
}

/** Time for which an application waited before it repeated a call that failed. */
export interface Return {
  /** Machine milliseconds; a guess if it was not seen to recover. */
  readonly realMs: number;
  /** Account milliseconds, 0 if it never repeats the call; null if it was not seen to recover. */
  readonly accountMs: number | null;
}

export interface Report {
  /** The end of a run without faults, a line for each fact. */
  readonly baseline: readonly string[];
  readonly points: readonly Pick<Point, 'id' | 'title' | 'kind'>[];
  readonly cells: readonly Cell[];
  readonly breaks: readonly Break[];
  readonly tried: number;
  /** Machine seconds; null if too few were tried. */
  readonly secondsPerCell: number | null;
  readonly seconds: number;
  /** Seconds that the slowest run without a fault took. */
  readonly runSeconds: number;
  readonly notes: readonly string[];
  /** Times for which the application waits before it repeats a failed call, by the kind of its point. */
  readonly waits: readonly (readonly [kind: string, wait: Return])[];
}

export interface Progress {
  readonly done: number;
  readonly left: number;
  readonly broken: number;
  readonly seconds: number;
  readonly latest: string;
}
