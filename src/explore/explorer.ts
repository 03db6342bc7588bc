/** Plays a story without faults, then with each fault at each point, and reports what broke twice. */
import { Breaks } from './breaks.js';
import { cellOf, endOf, untried, type Tried } from './cells.js';
import { GateError, passGate } from './gate.js';
import type { Reference } from './end-state.js';
import { cellId, inOrder, titleOf } from './placed.js';
import { deviationsOf, lasting } from './oracle.js';
import type { ExploreOptions, Patience } from './options.js';
import { isCall, pointsOf } from './points.js';
import { returnOf } from './useless-calls.js';
import type { Placed, Report, Run } from './types.js';

/** Number of plays of a confirmation that run in parallel most of the time. */
const confirmationWeight = 3;
/** Machine milliseconds to wait for an application that was not seen to recover. */
const unlearntMs = 4_000;
const leastMs = 1_000;
/** For which a call without a response is waited for. */
const callMs = 12_000;
/** After which its own timeout has ended a call without a response. */
const hangMs = 30_000;

export function explore(options: ExploreOptions): Promise<Report> {
  return new Exploration(options).run();
}

class Exploration {
  readonly #options: ExploreOptions;
  readonly #startedMs: number;
  readonly #tried: Tried[] = [];
  readonly #breaks: Breaks;
  #reference!: Reference;
  /** Machine milliseconds of the slowest and the fastest run without faults. */
  #usualMs = 0;
  #leastMs = 0;
  #lanes = 1;

  constructor(options: ExploreOptions) {
    this.#options = options;
    this.#startedMs = options.now();
    this.#breaks = new Breaks({
      ...options,
      reference: () => this.#reference,
      leftMs: () => options.deadlineMs - options.now(),
      patienceAfter: (placed) => (placed ? this.#patienceAfter(placed) : this.#patience(() => true)),
      together: () => this.#lanes > 1,
    });
  }

  async run(): Promise<Report> {
    const { only = () => true, resumed, adapted = (usual) => usual, play, lanes: most, over } = this.#options;
    const patience = () => this.#patience(() => true);
    const gate = await Promise.race([passGate({ play, lanes: most, patience }), over]);
    if (gate === 'over') throw new GateError('The budget ended before the runs without faults.');
    const { reference, runs, lanes, notes } = gate;
    this.#reference = reference;
    this.#lanes = lanes;
    this.#usualMs = Math.max(...runs.map(({ tookMs }) => tookMs));
    this.#leastMs = Math.min(...runs.map(({ tookMs }) => tookMs));
    const points = pointsOf(runs);
    const known = new Map((resumed?.cells ?? []).map((cell) => [cell.id, cell]));
    const isDone = (placed: Placed) => !['not tried', undefined].includes(known.get(cellId(placed))?.state);
    const usual = inOrder(points, reference.run.facts.steered);
    const wanted = adapted(usual, points).filter((each) => only(cellId(each)));
    const queue = wanted.filter((each) => !isDone(each));
    await this.#tryAll(queue);
    const breaks = this.#breaks.conclude(
      resumed?.breaks ?? [],
      this.#tried.some(({ fails }) => fails),
    );
    const own = new Map(this.#tried.map(({ cell }) => [cell.id, cell]));
    const cells = wanted.map((placed) => own.get(cellId(placed)) ?? known.get(cellId(placed)) ?? untried(placed));
    return {
      baseline: endOf(reference.run),
      points: points.map(({ id, title, kind }) => ({ id, title, kind })),
      cells,
      breaks,
      tried: this.#tried.length,
      seconds: Math.round(this.#spentMs() / 100) / 10,
      notes,
    };
  }

  #isLate(): boolean {
    return this.#options.now() >= this.#options.deadlineMs;
  }

  #spentMs(): number {
    return this.#options.now() - this.#startedMs;
  }

  /** How long a play may take: the application may wait for its own retries. */
  #patience(isOver: Patience['isOver'], realMs = 0, hangsMs = 0): Patience {
    const usualMs = this.#usualMs === 0 ? 90_000 : Math.max(25_000, 5 * this.#usualMs + realMs);
    const limitMs = Math.min(usualMs + realMs + hangsMs, this.#options.deadlineMs - this.#options.now());
    return { realMs, callMs, isOver, limitMs };
  }

  /** Time for the application to recover: learnt from how long it took to repeat a failed call. */
  #patienceAfter(placed: Placed): Patience {
    const { point, fault } = placed;
    const reference = this.#reference;
    const { longestMs } = this.#options;
    const isOver = (run: Omit<Run, 'tookMs'>) =>
      deviationsOf(reference, run, placed).every(({ kind, doubt }) => lasting.has(kind) || doubt !== null);
    const all = [...reference.returns.values()].map(({ realMs }) => realMs);
    const returnMs =
      reference.returns.get(point.kind)?.realMs ?? (isCall(point) || all.length === 0 ? longestMs : Math.max(...all));
    const calls = fault.class === 'outage' || fault.class === 'throttle' ? 4 : 1;
    const realMs = Math.min(longestMs, Math.max(leastMs, 1.5 * calls * returnMs + 500));
    return this.#patience(isOver, realMs, fault.id === 'hang' ? hangMs : 0);
  }

  async #tryAll(queue: Placed[]): Promise<void> {
    const lanes = this.#lanes;
    const probes = queue.filter(
      ({ point, fault }, i) =>
        fault.id === '503' &&
        isCall(point) &&
        queue.findIndex((other) => other.fault.id === '503' && other.point.kind === point.kind) === i,
    );
    let probing = probes.length;
    const work = new Set<Promise<unknown>>();
    let used = 0;
    const start = (job: () => Promise<unknown>, weight = 1) => {
      used += weight;
      const running: Promise<unknown> = job().finally(() => {
        used -= weight;
        work.delete(running);
      });
      work.add(running);
    };
    const startNext = (): boolean => {
      if (this.#isLate() || used >= lanes) return false;
      const confirmation = this.#breaks.next();
      if (confirmation) {
        start(confirmation, confirmationWeight);
        return true;
      }
      const probe = probes.shift();
      if (probe) {
        queue.splice(queue.indexOf(probe), 1);
        start(() => this.#probe(probe, queue.length).finally(() => (probing -= 1)));
        return true;
      }
      // Until it is known how the application waits, only faults of deliveries are tried, which do not depend on it.
      const isReady = ({ point: { kind, when } }: Placed) =>
        probing === 0 || when === 'webhook.deliver' || this.#reference.returns.has(kind);
      const placed = queue.find(isReady);
      if (placed === undefined) return false;
      queue.splice(queue.indexOf(placed), 1);
      start(() => this.#try(placed, queue.length));
      return true;
    };
    for (;;) {
      if (startNext()) continue;
      if (work.size === 0) break;
      if ((await Promise.race([this.#options.over, ...work])) === 'over') break;
    }
  }

  /** Tries the mildest fault of a kind of call with much patience, and learns when the application repeats the call. */
  async #probe(placed: Placed, left: number): Promise<void> {
    const run = await this.#try(placed, left);
    if (run === null) return;
    const accountMs = returnOf(run.facts);
    const isRecovered = deviationsOf(this.#reference, run, placed).length === 0;
    const unknown = { realMs: unlearntMs, accountMs: null };
    const never = run.timedOut ? unknown : { realMs: 0, accountMs: 0 };
    const learnt = isRecovered
      ? { realMs: Math.max(0, run.tookMs - this.#leastMs), accountMs: accountMs ?? 0 }
      : unknown;
    const returns = new Map([...this.#reference.returns, [placed.point.kind, accountMs === null ? never : learnt]]);
    this.#reference = { ...this.#reference, returns };
  }

  async #try(placed: Placed, left: number): Promise<Run | null> {
    const run = await this.#options.play(placed, this.#patienceAfter(placed));
    if (this.#isLate()) return null;
    const cell = cellOf(this.#reference, run, placed, this.#options.retryWithinMs);
    const tried: Tried = {
      placed,
      cell,
      fails: placed.fault.class !== 'recoverable' && run.exited === true && run.crashed !== true,
    };
    this.#tried.push(tried);
    this.#breaks.add(tried);
    this.#options.onProgress?.({
      done: this.#tried.length,
      left,
      broken: this.#breaks.found,
      seconds: Math.round(this.#spentMs() / 100) / 10,
      latest: `${titleOf(placed)}: ${tried.cell.state}`,
    });
    return run;
  }
}
