/** Plays a story without faults, then with each fault at each point, and reports what broke twice. */
import { Breaks } from './breaks.js';
import { cellOf, certain, endOf, untried, type Tried } from './cells.js';
import { passGate } from './gate.js';
import type { Reference } from './end-state.js';
import { cellId, inOrder, titleOf } from './placed.js';
import { deviationsOf } from './oracle.js';
import type { ExploreOptions, Patience } from './options.js';
import { isRead, pointsOf } from './points.js';
import { saysSo, unseen } from './say-so.js';
import type { DeviationKind, Placed, Report, Run } from './types.js';

/** Number of plays of a confirmation that run in parallel most of the time. */
const confirmationWeight = 3;
/** Deviations that more time does not undo. */
const lasting = new Set<DeviationKind>(['duplicate', 'useless calls', 'failure hidden']);
/** Machine milliseconds to wait for an application before it is known how it waits. */
const unlearntMs = 4_000;
const leastMs = 1_000;
/** For which a call without a response is waited for. */
const callMs = 12_000;

export function explore(options: ExploreOptions): Promise<Report> {
  return new Exploration(options).run();
}

class Exploration {
  readonly #options: ExploreOptions;
  readonly #startedMs: number;
  readonly #tried: Tried[] = [];
  readonly #breaks: Breaks;
  #reference!: Reference;
  /** Machine milliseconds in which the application repeated a failed call; null before that is known. */
  #returnMs: number | null = null;
  #usualMs = 0;
  #lanes = 1;

  constructor(options: ExploreOptions) {
    this.#options = options;
    this.#startedMs = options.now();
    this.#breaks = new Breaks({
      ...options,
      reference: () => this.#reference,
      play: (placed, patience) => this.#inTime(() => options.play(placed, patience)),
      playFile: (request) => this.#inTime(() => options.playFile(request)),
      patienceAfter: (placed) => (placed ? this.#patienceAfter(placed) : this.#patience(() => true)),
      together: () => this.#lanes > 1,
    });
  }

  async run(): Promise<Report> {
    const { only = () => true, resumed, adapted = (usual) => usual, play } = this.#options;
    const calm = this.#patience(() => true);
    const { reference, runs, lanes, notes } = await passGate({ ...this.#options, play, patience: calm });
    this.#reference = reference;
    this.#lanes = lanes;
    this.#usualMs = Math.max(...runs.map(({ tookMs }) => tookMs));
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

  #spentMs(): number {
    return this.#options.now() - this.#startedMs;
  }

  /** How long a play may take: the application may wait for its own retries. */
  #limitMs(): number {
    return this.#usualMs === 0 ? 90_000 : Math.max(25_000, 5 * this.#usualMs + 2 * (this.#returnMs ?? 5_000));
  }

  #patience(isOver: Patience['isOver'], realMs = 0): Patience {
    return { realMs, callMs, isOver, limitMs: this.#limitMs() + realMs, signal: this.#options.deadline };
  }

  /** Time for the application to recover: learnt from how long it took to repeat a failed call. */
  #patienceAfter(placed: Placed, realMs?: number): Patience {
    const reference = { ...this.#reference };
    const learntMs = this.#returnMs === null ? unlearntMs : Math.max(leastMs, 1.5 * this.#returnMs + 500);
    const isOver = (run: Omit<Run, 'tookMs'>) =>
      deviationsOf(reference, run, placed).every(({ kind, doubt }) => lasting.has(kind) || doubt !== null);
    const patience = this.#patience(isOver, realMs ?? Math.min(this.#options.longestMs, learntMs));
    // Its own timeout ends a call without a response.
    return placed.fault.id === 'hang' ? { ...patience, limitMs: patience.limitMs + 30_000 } : patience;
  }

  async #tryAll(queue: Placed[]): Promise<void> {
    const { deadline } = this.#options;
    const lanes = this.#lanes;
    const probe = queue.findIndex(({ point, fault }) => fault.id === '503' && !isRead(point));
    const first = probe < 0 ? undefined : queue.splice(probe, 1)[0];
    let isProbing = false;
    const work = new Set<Promise<void>>();
    let used = 0;
    const start = (job: () => Promise<void>, weight = 1) => {
      used += weight;
      const running: Promise<void> = job().finally(() => {
        used -= weight;
        work.delete(running);
      });
      work.add(running);
    };
    const startNext = (): boolean => {
      if (deadline.aborted || used >= lanes) return false;
      const confirmation = this.#breaks.next();
      if (confirmation) {
        start(confirmation, confirmationWeight);
        return true;
      }
      // Until it is known how the application waits, faults of deliveries are tried, for which it need not.
      const needsNoWait = queue.findIndex(({ point }) => point.when === 'webhook.deliver');
      const at = isProbing && lanes > 1 && needsNoWait >= 0 ? needsNoWait : 0;
      const [placed] = queue.splice(at, 1);
      if (placed) start(() => this.#try(placed, queue.length));
      return placed !== undefined;
    };
    if (first && !deadline.aborted) {
      isProbing = true;
      start(() => this.#probe(first, queue.length).finally(() => (isProbing = false)));
    }
    for (;;) {
      if (startNext()) continue;
      if (work.size === 0) break;
      await Promise.race(work);
    }
  }

  /** Tries the mildest fault with much patience, and learns when the application repeats the call. */
  async #probe(placed: Placed, left: number): Promise<void> {
    const { longestMs } = this.#options;
    let waited: { readonly realMs: number; readonly accountMs: number } | null = null;
    const patience = this.#patienceAfter(placed, longestMs);
    const onReturn: Patience['onReturn'] = (after) => (waited ??= after);
    await this.#try(placed, left, { ...patience, onReturn });
    const seen = waited as { readonly realMs: number; readonly accountMs: number } | null;
    this.#returnMs = seen?.realMs ?? 0;
    if (seen !== null) this.#reference = { ...this.#reference, returns: seen };
  }

  async #try(placed: Placed, left: number, patience?: Patience): Promise<void> {
    const run = await this.#inTime(() => this.#options.play(placed, patience ?? this.#patienceAfter(placed)));
    if (run === null) return;
    const says = placed.fault.class !== 'recoverable' && saysSo(this.#reference, run);
    const cell = cellOf(this.#reference, run, placed, this.#options.retryWithinMs);
    const tried: Tried = { placed, cell, says, fails: says && run.exited === true };
    this.#tried.push(tried);
    this.#breaks.add(tried);
    this.#compare(tried);
    this.#options.onProgress?.({
      done: this.#tried.length,
      left,
      broken: this.#breaks.found,
      seconds: Math.round(this.#spentMs() / 100) / 10,
      latest: `${titleOf(placed)}: ${tried.cell.state}`,
    });
  }

  /** A story that shows one failure of a call looks at what became of it, and so has seen nothing of another one. */
  #compare({ placed: { point } }: Tried): void {
    const same = this.#tried.filter(({ placed }) => placed.point.id === point.id);
    if (!same.some(({ says }) => says)) return;
    for (const tried of same) {
      if (!tried.cell.deviations.some(({ doubt }) => doubt === unseen)) continue;
      tried.cell = certain(tried.cell, unseen);
      this.#breaks.add(tried);
    }
  }

  /** Returns null if the time was over before the end. */
  async #inTime<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (this.#options.deadline.aborted) return null;
      throw error;
    }
  }
}
