/** Plays a story without faults, then with each fault at each point, and reports what broke twice. */
import { passGate } from './gate.js';
import type { Reference } from './end-state.js';
import { cellId, inOrder, titleOf } from './placed.js';
import { deviationsOf } from './oracle.js';
import { cellOf, certain, doubted, endOf, groupOf, proofOf, untried, type Group, type Tried } from './cells.js';
import type { ExploreOptions, Patience, PlayedFile } from './options.js';
import { isRead, pointsOf } from './points.js';
import { saysSo, unseen } from './say-so.js';
import type { Break, Deviation, DeviationKind, Placed, Report, Run } from './types.js';

/** Maximum number of cells of one kind of break that are repeated to confirm it. */
const mostConfirmations = 3;
/** Number of plays of a confirmation that run in parallel most of the time. */
const confirmationWeight = 3;
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
  #lanes = 1;

  constructor(options: ExploreOptions) {
    this.#options = options;
    this.#startedMs = options.now();
  }

  async run(): Promise<Report> {
    const { only = () => true, resumed, more = [], play } = this.#options;
    const calm = this.#patience(() => true);
    const { reference, runs, lanes, notes } = await passGate({ ...this.#options, play, patience: calm });
    this.#reference = reference;
    this.#lanes = lanes;
    this.#usualMs = Math.max(...runs.map(({ tookMs }) => tookMs));
    const points = pointsOf(runs);
    const known = new Map((resumed?.cells ?? []).map((cell) => [cell.id, cell]));
    const isDone = (placed: Placed) => !['not tried', undefined].includes(known.get(cellId(placed))?.state);
    const wanted = [...more, ...inOrder(points, reference.run.facts.steered)].filter((each) => only(cellId(each)));
    const queue = wanted.filter((each) => !isDone(each));
    await this.#tryAll(queue);
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
      const confirmation = this.#confirmations.shift();
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
    const run = await this.#played(placed, patience ?? this.#patienceAfter(placed));
    if (run === null) return;
    const says = placed.fault.class !== 'recoverable' && saysSo(this.#reference, run);
    const cell = cellOf(this.#reference, run, placed, this.#options.retryWithinMs);
    const tried: Tried = { placed, cell, says, fails: says && run.exited === true };
    this.#tried.push(tried);
    this.#enlist(tried);
    this.#compare(tried);
    this.#options.onProgress?.({
      done: this.#tried.length,
      left,
      broken: [...this.#groups.values()].filter(({ found }) => found !== null).length,
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
      this.#enlist(tried);
    }
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
    const reference = this.#reference;
    const together = this.#lanes > 1;
    const request = { placed, deviation, reference, patienceMs, limitMs, together, signal: deadline };
    const playing = this.#inTime(() => playFile(request));
    if (!together) await playing;
    const repeating = this.#played(placed, { ...patience, realMs: patienceMs, limitMs });
    if (!together) await repeating;
    const calm = this.#patience(() => true);
    const [file, again, without] = await Promise.all([playing, repeating, this.#played(null, calm)]);
    if (file === null || again === null || without === null) return null;
    if (file.problem !== undefined) return { ...file, problem: file.problem };
    const isSame = ({ kind, doubt }: Deviation) => kind === deviation.kind && (doubt === null || doubt === unseen);
    const repeated = deviationsOf(reference, again, placed, this.#options.retryWithinMs).some(isSame);
    if (!repeated) return { ...file, problem: 'It did not happen again when it was repeated.' };
    const anyway = deviationsOf(reference, without, null).some(isSame);
    return { ...file, problem: anyway ? 'It also happened without the fault.' : null };
  }

  /** What was not confirmed is doubtful. */
  #conclude(): void {
    const endsInError = this.#tried.some(({ fails }) => fails);
    for (const group of this.#groups.values()) {
      for (const tried of group.cells) {
        if (group.found === null) {
          tried.cell = doubted(tried.cell, null, 'The budget ended before it was repeated.');
        } else if (group.found.ignored !== null && tried.cell.state === 'broken') {
          tried.cell = { ...tried.cell, state: 'ignored' };
        }
      }
      if (!group.found) continue;
      const { placed } = group.cells.find(({ cell }) => cell.id === group.found?.cell.id) ?? {};
      const mayFail = endsInError && placed?.fault.class !== 'recoverable';
      const { file, noFile } = group.found;
      group.found = {
        ...group.found,
        ...(mayFail && file !== null ? { file: null, noFile: failsTheRight } : { file, noFile }),
        tries: group.cells.length,
      };
    }
  }
}

const failsTheRight = 'After this fault, a correct application may end with an error, which would fail its scenario.';

const byKind = (a: Break, b: Break): number => a.kind.localeCompare(b.kind) || a.at.localeCompare(b.at);
