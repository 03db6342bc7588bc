/** Plays a story without faults, then with each fault at each point, and reports what broke twice. */
import pLimit from 'p-limit';
import { Breaks } from './breaks.js';
import { cellOf, endOf, untried, type Tried } from './cells.js';
import { ExploreError } from './error.js';
import { passGate, type Gate } from './gate.js';
import { inOrder } from './placed.js';
import { deviationsOf, lasting } from './oracle.js';
import type { ExploreOptions, Patience } from './options.js';
import { isCall, pointsOf } from './points.js';
import { testOf, together } from './suite.js';
import { returnOf, uselessCalls, type Repetition } from './useless-calls.js';
import type { FaultClass, Placed, Report, Run } from './types.js';

/** Shows how the application waits. */
const mildestFault = '503';
/** Machine milliseconds to wait for an application that was not seen to recover. */
const unlearntMs = 4_000;
const leastMs = 1_000;
/** A call that comes so soon after a step of the story is made by it. */
const drivenMs = 2_000;
/** Within less account time than that, no jump is made: the clock first waits for a repetition. */
const leastJumpMs = 15_000;
/** Number of times as long as after one failed call: after four, many applications wait twice as long each time. */
const waits: { readonly [of in FaultClass]?: number } = { outage: 15, throttle: 4 };
/** Time to wait for the response to a call. */
const callMs = 12_000;
/** The shortest time limit of a play, and the limit of a run without faults. */
const leastLimitMs = 30_000;
const firstLimitMs = 90_000;

export async function explore(options: ExploreOptions): Promise<Report> {
  const { only = () => true, more = () => [], resumed, now, deadlineMs } = options;
  const startedMs = now();
  const patience = (isOver: Patience['isOver']) => ({
    realMs: 0,
    callMs,
    isOver,
    isInVain: () => false,
    limitMs: Math.min(firstLimitMs, deadlineMs - now()),
  });
  const gate = await Promise.race([passGate({ ...options, patience }), options.over]);
  if (gate === 'over') throw new ExploreError('The budget ended before the runs without faults.');
  const { reference, runs, notes } = gate;
  const points = pointsOf(runs);
  const all = inOrder(points, reference.run.facts.steered, more(points));
  const wanted = all.filter(({ id }) => only(id));
  const earlier = (resumed?.cells ?? []).filter(({ state }) => state !== 'not tried');
  const done = new Map(earlier.map((cell) => [cell.id, cell]));
  const exploration = new Exploration(options, gate, startedMs);
  await exploration.tryAll(
    wanted.filter(({ id }) => !done.has(id)),
    all,
  );
  const endsInError = exploration.tried.some(({ fails }) => fails);
  const breaks = exploration.breaks.conclude(resumed?.breaks ?? [], endsInError);
  const { tried } = exploration;
  for (const { cell } of tried) done.set(cell.id, cell);
  return {
    baseline: endOf(reference.run),
    points: points.map(({ id, title, kind }) => ({ id, title, kind })),
    cells: wanted.map((placed) => done.get(placed.id) ?? untried(placed)),
    breaks,
    tried: tried.length,
    seconds: secondsSince(startedMs, now()),
    notes,
  };
}

const secondsSince = (startedMs: number, nowMs: number): number => Math.round((nowMs - startedMs) / 100) / 10;

class Exploration {
  readonly tried: Tried[] = [];
  readonly breaks: Breaks;
  /** Others are only tried to learn how the application waits. */
  #wanted: ReadonlySet<Placed> = new Set();
  /** Cells that are not tried together with others again. */
  readonly #alone = new Set<Placed>();
  /** Machine milliseconds of the slowest and the fastest run without faults. */
  readonly #usualMs: number;
  readonly #leastMs: number;

  constructor(
    private readonly options: ExploreOptions,
    private readonly gate: Gate,
    private readonly startedMs: number,
  ) {
    const took = gate.runs.map(({ tookMs }) => tookMs);
    this.#usualMs = Math.max(...took);
    this.#leastMs = Math.min(...took);
    this.breaks = new Breaks({
      ...options,
      reference: gate.reference,
      leftMs: () => this.#leftMs(),
      patienceAfter: (placed) => this.#patienceAfter(placed),
      inTurn: pLimit(gate.lanes > 1 ? 4 : 1),
    });
  }

  #leftMs(): number {
    return this.options.deadlineMs - this.options.now();
  }

  /** Time for the application to recover: learnt from how long it took to repeat a failed call. */
  #patienceAfter(placed: readonly Placed[]): Patience {
    const { reference } = this.gate;
    const realMs = placed.reduce((sum, one) => sum + this.#recoveryMs(one), 0);
    const isOver = (run: Omit<Run, 'tookMs'>) =>
      // The result is seen only after the call was repeated.
      placed.every(({ fault }) => fault.hurries !== true) &&
      placed
        .flatMap((one) => deviationsOf(reference, run, one))
        .every(({ kind, doubt }) => lasting.has(kind) || doubt !== null);
    const limitMs = Math.min(Math.max(leastLimitMs, 5 * this.#usualMs) + 2 * realMs, this.#leftMs());
    const isInVain: Patience['isInVain'] = (seen) => uselessCalls(reference.run, seen).length > 0;
    return { realMs, callMs, isOver, isInVain, limitMs };
  }

  #recoveryMs({ point, fault }: Placed): number {
    const { returns } = this.gate.reference;
    const { longestMs } = this.options;
    const all = [...returns.values()].map(({ realMs }) => realMs);
    // For a fault of a delivery, it need not repeat any call.
    const usualMs = all.length === 0 ? unlearntMs : Math.max(...all);
    const returnMs = returns.get(point.kind)?.realMs ?? (isCall(point) ? longestMs : usualMs);
    return Math.min(longestMs, Math.max(leastMs, 1.5 * (waits[fault.class] ?? 1) * returnMs + 500));
  }

  /** Tries the mildest fault of each kind of call first, which shows how the application waits; then all in order. */
  async tryAll(queue: readonly Placed[], all: readonly Placed[]): Promise<void> {
    const kinds = new Set(queue.map(({ point }) => point.kind));
    const mildest = all.filter(
      ({ point, fault }) => fault.id === mildestFault && isCall(point) && kinds.has(point.kind),
    );
    const probes = mildest.filter(({ point }, i) => mildest.findIndex((one) => one.point.kind === point.kind) === i);
    // Faults of deliveries do not depend on how it waits.
    const others = queue.filter(({ point }) => point.when === 'webhook.deliver').slice(0, this.gate.lanes);
    const first = [...probes, ...others];
    this.#wanted = new Set(queue);
    const rest = queue.filter((one) => !first.includes(one));
    await Promise.race([this.options.over, this.#tryInLanes(first).then(() => this.#tryInLanes(rest))]);
  }

  async #tryInLanes(left: Placed[]): Promise<void> {
    const work = async () => {
      for (let next = left.shift(); next && this.#leftMs() > 0; next = left.shift()) {
        const group = together(next, left, this.gate, this.#alone);
        left.splice(0, left.length, ...left.filter((one) => !group.includes(one)));
        await this.#try(group, left);
        await this.breaks.confirmed;
      }
    };
    await Promise.all(Array.from({ length: this.gate.lanes }, work));
  }

  /** Learns from the mildest fault of a kind of call when the application repeats it. */
  #learn(placed: Placed, run: Run): void {
    const { reference } = this.gate;
    const repetition = returnOf(run.facts);
    const accountMs = repetition?.afterMs ?? null;
    const isRecovered = deviationsOf(reference, run, placed).length === 0;
    const unknown = { realMs: unlearntMs, accountMs: null };
    const never = run.timedOut ? unknown : { realMs: 0, accountMs: 0 };
    const learnt = isRecovered ? { realMs: this.#ownWaitMs(run, repetition), accountMs: accountMs ?? 0 } : unknown;
    reference.returns.set(placed.point.kind, accountMs === null ? never : learnt);
  }

  /** Machine milliseconds that the application waits by itself, rather than for a step of the story. */
  #ownWaitMs(run: Run, repetition: Repetition | null): number {
    const { stepsMs = [] } = this.options.how.story ?? {};
    const isDriven = stepsMs.some((ms) => repetition && ms <= repetition.atMs && repetition.atMs < ms + drivenMs);
    if (run.flows === true && repetition && isDriven && repetition.afterMs > drivenMs) return 0;
    // As long as no jump was made meanwhile, it took as much account time.
    if (run.flows === true && repetition && repetition.afterMs < Math.min(leastJumpMs, this.options.longestMs))
      return repetition.afterMs;
    return Math.max(0, run.tookMs - this.#leastMs);
  }

  /** Tries a fault, or one in each of several tests. Of these, tests that deviate are tried again by themselves. */
  async #try(group: readonly Placed[], left: Placed[]): Promise<void> {
    const whole = await this.options.play(group, this.#patienceAfter(group));
    for (const placed of group) {
      if (this.#leftMs() <= 0) return;
      const { point, fault } = placed;
      const isSingle = group.length === 1;
      const judged = isSingle
        ? { run: whole, reference: this.gate.reference }
        : testOf(this.gate, whole, point.account);
      const cell = judged && cellOf(judged.reference, judged.run, placed);
      if (!isSingle && cell?.deviations.length !== 0) {
        this.#alone.add(placed);
        if (cell?.state === 'doubtful') left.push(placed);
        else left.unshift(placed);
        continue;
      }
      if (!judged || !cell) continue;
      const { run } = judged;
      if (fault.id === mildestFault && !this.gate.reference.returns.has(point.kind)) this.#learn(placed, run);
      if (!this.#wanted.has(placed)) continue;
      const fails = fault.class !== 'recoverable' && run.exited === true && run.crashed !== true;
      this.#note({ placed, cell, fails, isEndless: run.timedOut }, left.length);
    }
  }

  #note(tried: Tried, left: number): void {
    const { placed, cell } = tried;
    this.tried.push(tried);
    this.breaks.add(tried);
    this.options.onProgress?.({
      done: this.tried.length,
      left,
      broken: this.breaks.found,
      seconds: secondsSince(this.startedMs, this.options.now()),
      latest: `${placed.title}: ${cell.state}`,
    });
  }
}
