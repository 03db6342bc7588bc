/** Plays a story without faults, then with each fault at each point, and reports what broke twice. */
import { passGate } from './gate.js';
import type { Reference } from './end-state.js';
import { cellId, inOrder, titleOf } from './placed.js';
import { deviationsOf } from './oracle.js';
import { cellOf, doubted, endOf, groupOf, proofOf, untried, type Group, type Tried } from './cells.js';
import type { ExploreOptions, Patience, PlayedFile } from './options.js';
import { isRead, pointsOf } from './points.js';
import type { Break, Deviation, DeviationKind, Placed, Report, Run } from './types.js';

/** Maximum number of cells of one kind of break that are repeated to confirm it. */
const mostConfirmations = 3;
/** Deviations that more time does not undo. */
const lasting = new Set<DeviationKind>(['duplicate', 'useless calls', 'failure hidden']);
/** Machine milliseconds to wait for an application before it is known how it waits. */
const unlearntMs = 4_000;
const leastMs = 1_000;

export function explore(options: ExploreOptions): Promise<Report> {
  return new Exploration(options).run();
}

class Exploration {
  readonly #options: ExploreOptions;
  readonly #startedMs: number;
  readonly #tried: Tried[] = [];
  readonly #groups = new Map<string, Group>();
  readonly #confirmations: (() => Promise<void>)[] = [];
  #reference!: Reference;
  /** Machine milliseconds in which the application repeated a failed call; null before that is known. */
  #returnMs: number | null = null;
  #usualMs = 0;

  constructor(options: ExploreOptions) {
    this.#options = options;
    this.#startedMs = options.now();
  }

  async run(): Promise<Report> {
    const { only = () => true, resumed, more = [], play } = this.#options;
    const calm = this.#patience(() => true);
    const { reference, runs, lanes, notes } = await passGate({ ...this.#options, play, patience: calm });
    this.#reference = reference;
    this.#usualMs = Math.max(...runs.map(({ tookMs }) => tookMs));
    const points = pointsOf(runs);
    const known = new Map((resumed?.cells ?? []).map((cell) => [cell.id, cell]));
    const isDone = (placed: Placed) => !['not tried', undefined].includes(known.get(cellId(placed))?.state);
    const wanted = [...more, ...inOrder(points, reference.run.facts.steered)].filter((each) => only(cellId(each)));
    const queue = wanted.filter((each) => !isDone(each));
    await this.#tryAll(queue, lanes);
    this.#conclude();
    const own = new Map(this.#tried.map(({ cell }) => [cell.id, cell]));
    const cells = wanted.map((placed) => own.get(cellId(placed)) ?? known.get(cellId(placed)) ?? untried(placed));
    const found = [...this.#groups.values()].flatMap((group) => group.found ?? []);
    const kinds = new Set(found.map(({ kind, at }) => `${kind} ${at}`));
    const earlier = (resumed?.breaks ?? []).filter(({ kind, at }) => !kinds.has(`${kind} ${at}`));
    return {
      baseline: endOf(reference.run),
      points: points.map(({ id, title, kind }) => ({ id, title, kind })),
      cells,
      breaks: [...earlier, ...found].sort(byKind),
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
    return { realMs, isOver, limitMs: this.#limitMs() + realMs, signal: this.#options.deadline };
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

  async #tryAll(queue: Placed[], lanes: number): Promise<void> {
    const { deadline } = this.#options;
    const probe = queue.findIndex(({ point, fault }) => fault.id === '503' && !isRead(point));
    const first = probe < 0 ? undefined : queue.splice(probe, 1)[0];
    let isProbing = false;
    const next = (): (() => Promise<void>) | undefined => {
      if (deadline.aborted) return undefined;
      const confirmation = this.#confirmations.shift();
      if (confirmation) return confirmation;
      // Until it is known how the application waits, faults of deliveries are tried, for which it need not.
      const needsNoWait = queue.findIndex(({ point }) => point.when === 'webhook.deliver');
      const at = isProbing && lanes > 1 && needsNoWait >= 0 ? needsNoWait : 0;
      const [placed] = queue.splice(at, 1);
      return placed && (() => this.#try(placed, queue.length));
    };
    const work = new Set<Promise<void>>();
    const start = (job: () => Promise<void>) => {
      const running: Promise<void> = job().finally(() => work.delete(running));
      work.add(running);
    };
    if (first && !deadline.aborted) {
      isProbing = true;
      start(() => this.#probe(first, queue.length).finally(() => (isProbing = false)));
    }
    for (;;) {
      const job = work.size < lanes ? next() : undefined;
      if (job) start(job);
      else if (work.size === 0) break;
      else await Promise.race(work);
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
    const run = await this.#played(placed, patience ?? this.#patienceAfter(placed));
    if (run === null) return;
    const tried: Tried = { placed, cell: cellOf(this.#reference, run, placed, this.#options.retryWithinMs) };
    this.#tried.push(tried);
    this.#enlist(tried);
    this.#options.onProgress?.({
      done: this.#tried.length,
      left,
      broken: [...this.#groups.values()].filter(({ found }) => found !== null).length,
      seconds: Math.round(this.#spentMs() / 100) / 10,
      latest: `${titleOf(placed)}: ${tried.cell.state}`,
    });
  }

  /** Adds a try to those that broke in the same way, of which some are confirmed. */
  #enlist(tried: Tried): void {
    const kind = proofOf(tried.cell)?.kind;
    if (kind === undefined) return;
    const at = tried.placed.point.kind;
    const group = this.#groups.get(`${kind} ${at}`) ?? groupOf(kind, at);
    this.#groups.set(`${kind} ${at}`, group);
    group.cells.push(tried);
    if (group.confirming || group.found || group.tries >= mostConfirmations) return;
    group.confirming = true;
    this.#confirmations.push(() => this.#confirm(group));
  }

  #played(placed: Placed | null, patience: Patience): Promise<Run | null> {
    return this.#inTime(() => this.#options.play(placed, patience));
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

  /** Plays a file of the break with the fault and without it: only what fails and passes in this way is a break. */
  async #confirm(group: Group): Promise<void> {
    const { ignored = () => null } = this.#options;
    const inOrder = [...group.cells].sort((a, b) => a.placed.fault.rank - b.placed.fault.rank);
    for (const tried of inOrder) {
      if (group.tries >= mostConfirmations) break;
      const deviation = proofOf(tried.cell);
      if (deviation?.kind !== group.kind) continue;
      group.tries += 1;
      const file = await this.#proven(tried.placed, deviation);
      if (file === null || file.problem !== null) {
        const doubt = file === null ? 'The budget ended before it was repeated.' : (file.problem ?? '');
        tried.cell = doubted(tried.cell, group.kind, doubt);
        this.#enlist(tried);
        continue;
      }
      const { id } = tried.cell;
      group.found = {
        kind: group.kind,
        at: group.at,
        cell: tried.cell,
        sentence: deviation.sentence,
        tries: 0,
        ignored: ignored(id),
        file: file.noFile === undefined ? file.name : null,
        noFile: file.noFile ?? null,
        scenario: file.text,
      };
      break;
    }
    group.confirming = false;
  }

  async #proven(placed: Placed, deviation: Deviation): Promise<PlayedFile | null> {
    const { deadline, playFile, longestMs } = this.#options;
    const patience = this.#patienceAfter(placed);
    // A loss is only believed after twice the usual time.
    const patienceMs = Math.min(longestMs, 2 * patience.realMs);
    // What has not ended once in the whole time need not be waited for as long again.
    const limitMs = deviation.kind === 'never settles' ? patience.limitMs / 2 : patience.limitMs + patienceMs + 5_000;
    const request = { placed, deviation, reference: this.#reference, patienceMs, limitMs, signal: deadline };
    const file = await this.#inTime(() => playFile(request));
    if (file === null || file.problem !== undefined) return file && { ...file, problem: file.problem ?? null };
    const again = await this.#played(placed, { ...patience, realMs: patienceMs, limitMs });
    const without = await this.#played(
      null,
      this.#patience(() => true),
    );
    if (again === null || without === null) return null;
    const isSame = (one: Deviation) => one.kind === deviation.kind && one.doubt === null;
    const repeated = deviationsOf(this.#reference, again, placed, this.#options.retryWithinMs).some(isSame);
    if (!repeated) return { ...file, problem: 'It did not happen again when it was repeated.' };
    const anyway = deviationsOf(this.#reference, without, null).some(isSame);
    return { ...file, problem: anyway ? 'It also happened without the fault.' : null };
  }

  /** What was not confirmed is doubtful. */
  #conclude(): void {
    for (const group of this.#groups.values()) {
      for (const tried of group.cells) {
        if (group.found === null) {
          tried.cell = doubted(tried.cell, null, 'The budget ended before it was repeated.');
        } else if (group.found.ignored !== null && tried.cell.state === 'broken') {
          tried.cell = { ...tried.cell, state: 'ignored' };
        }
      }
      if (group.found) group.found = { ...group.found, tries: group.cells.length };
    }
  }
}

const byKind = (a: Break, b: Break): number => a.kind.localeCompare(b.kind) || a.at.localeCompare(b.at);
