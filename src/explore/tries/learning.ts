/** Time for which an application waits before it repeats a failed call: shown by the mildest fault of each kind of call. */
import type { Reference } from '../facts/end-state.js';
import type { Gate } from './gate.js';
import type { ExploreOptions } from './options.js';
import { deviationsOf } from '../oracle/oracle.js';
import { isCall, isRead } from '../faults/points.js';
import type { FaultClass, Placed, Point, Run } from '../facts/types.js';
import { returnOf, type Repetition } from '../oracle/useless-calls.js';

const mildestFault = '503';
/** Machine milliseconds to wait for an application that was not seen to recover. */
const unlearntMs = 4_000;
export const leastMs = 1_000;
/** A longer time between failed calls passes as the story's time. */
const longestReturnMs = 16_000;
/** A call that comes so soon after a step of the story is made by it. */
const drivenMs = 2_000;
/** Within less account time than that, no jump is made: the clock first waits for a repetition. */
const leastJumpMs = 15_000;
/** Number of times as long as after one failed call: after four, many applications wait twice as long each time. */
const waits: { readonly [of in FaultClass]?: number } = { outage: 15, throttle: 4 };

export class Learning {
  readonly #reference: Reference;
  readonly #probes = new Map<string, Placed>();
  readonly #open = new Set<Placed>();
  #waiting: (() => void)[] = [];
  /** The kinds of calls that an earlier exploration has tried. */
  readonly #earlier: Set<string>;
  readonly #fastestMs: number;

  constructor(
    private readonly options: Pick<ExploreOptions, 'waits' | 'how' | 'longestMs' | 'outlasts'>,
    { reference, runs }: Gate,
  ) {
    this.#reference = reference;
    this.#earlier = new Set((options.waits ?? []).map(([kind]) => kind));
    for (const [kind, wait] of options.waits ?? []) reference.returns.set(kind, wait);
    this.#fastestMs = Math.min(...runs.map(({ tookMs }) => tookMs));
  }

  /** The tries that show how the application waits where these faults are. */
  begin(queue: readonly Placed[], all: readonly Placed[]): Placed[] {
    for (const one of all) {
      const { point, fault } = one;
      if (fault.id === mildestFault && isCall(point) && !this.#probes.has(point.kind))
        this.#probes.set(point.kind, one);
    }
    const kinds = new Set(queue.flatMap(({ point }) => this.#kindsFor(point)));
    const isOpen = ({ point: { kind } }: Placed) => kinds.has(kind) && !this.#reference.returns.has(kind);
    const probes = [...this.#probes.values()].filter(isOpen);
    for (const probe of probes) this.#open.add(probe);
    return probes;
  }

  /** Faults of deliveries do not depend on how it waits; an outage depends on all calls that it affects, a restart on all. */
  #kindsFor(point: Point): readonly string[] {
    if (point.when === 'webhook.deliver') return [];
    return isCall(point) || isRead(point) ? [point.kind] : (point.affected ?? [...this.#probes.keys()]);
  }

  /** True if it is known how the application waits there, or if this try shows it. */
  isReady(one: Placed): boolean {
    const kinds = this.#kindsFor(one.point);
    return this.#open.has(one) || [...this.#open].every(({ point }) => !kinds.includes(point.kind));
  }

  /** True if this try shows how the application waits. */
  isProbe(one: Placed): boolean {
    return this.#open.has(one);
  }

  end(one: Placed): void {
    this.#open.delete(one);
    for (const goOn of this.#waiting.splice(0)) goOn();
  }

  async untilReady(one: Placed): Promise<void> {
    while (!this.isReady(one)) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /**
   * Forgets what an earlier exploration has learnt about such calls, because the application may wait longer by now.
   * @returns what shows it again; nothing if it was learnt in this exploration
   */
  outdated({ point }: Placed): Placed[] {
    const kinds = point.when === 'webhook.deliver' ? [...this.#earlier] : this.#kindsFor(point);
    return kinds.flatMap((kind) => {
      const probe = this.#probes.get(kind);
      if (!this.#earlier.delete(kind) || probe === undefined) return [];
      this.#reference.returns.delete(kind);
      this.#open.add(probe);
      return [probe];
    });
  }

  /**
   * Machine milliseconds that the application gets to recover from a fault.
   * @param times so many times as long as after one failed call
   */
  recoveryMs({ point, fault }: Placed, times?: number): number {
    const { returns } = this.#reference;
    const { longestMs, outlasts } = this.options;
    if (times === undefined && outlasts === true && fault.class === 'outage') return longestMs;
    const { affected = [...returns.keys()] } = point;
    const all = affected.flatMap((kind) => returns.get(kind)?.realMs ?? []);
    // For a fault of a delivery, it need not repeat any call.
    const usualMs = all.length === 0 ? unlearntMs : Math.max(...all);
    const returnMs = returns.get(point.kind)?.realMs ?? (isCall(point) ? longestMs : usualMs);
    return Math.min(longestMs, Math.max(leastMs, 1.5 * (times ?? waits[fault.class] ?? 1) * returnMs + 500));
  }

  /** Time stands still for so long, in machine milliseconds, so that the application can repeat the call. */
  returnMs(placed: Placed): number {
    const isKnown = !isCall(placed.point) || this.#reference.returns.has(placed.point.kind);
    const mostMs = isKnown ? longestReturnMs : Math.min(longestReturnMs, this.options.longestMs / 4);
    return Math.min(mostMs, this.recoveryMs(placed, placed.fault.class === 'outage' ? 2 : 1));
  }

  /** The mildest fault of a kind of call shows when the application repeats it. */
  note(placed: Placed, run: Run): void {
    const { point, fault } = placed;
    const { returns } = this.#reference;
    if (fault.id !== mildestFault || returns.has(point.kind)) return;
    const repetition = returnOf(run.facts);
    const accountMs = repetition?.afterMs ?? null;
    const isRecovered = deviationsOf(this.#reference, run, placed).length === 0;
    const unknown = { realMs: unlearntMs, accountMs: null };
    const never = run.timedOut ? unknown : { realMs: 0, accountMs: 0 };
    const learnt = isRecovered ? { realMs: this.#ownWaitMs(run, repetition), accountMs: accountMs ?? 0 } : unknown;
    returns.set(point.kind, accountMs === null ? never : learnt);
  }

  /** Machine milliseconds that the application waits without a step of the story. */
  #ownWaitMs(run: Run, repetition: Repetition | null): number {
    const { stepsMs = [] } = this.options.how.story ?? {};
    const isDriven = stepsMs.some((ms) => repetition && ms <= repetition.atMs && repetition.atMs < ms + drivenMs);
    if (run.flows === true && repetition && isDriven && repetition.afterMs > drivenMs) return 0;
    // As long as no jump was made meanwhile, it took as much account time.
    if (run.flows === true && repetition && repetition.afterMs < Math.min(leastJumpMs, this.options.longestMs))
      return repetition.afterMs;
    return Math.max(0, run.tookMs - this.#fastestMs);
  }
}
