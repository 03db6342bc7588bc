/** Plays a story without faults, then with each fault at each point, and finds the smallest fault that breaks it. */
import { createStream } from '../random/stream.js';
import { baseline, notesOf, patienceWith, usual } from './baseline.js';
import { faultsAt } from './catalogue.js';
import { deviationsOf } from './compare.js';
import { referenceOf, type Reference } from './end-state.js';
import { cellOf, groupsOf, idOf, isSame, kindsAt, proofs, titleOf, weight, withIgnored } from './cells.js';
import { milder, pairsOf } from './more-faults.js';
import { outcomeOf } from './outcome.js';
import { pointsOf } from './points.js';
import type { Break, Cell, Deviation, DeviationKind, Facts, Placed, Play, Point, Progress, Report } from './types.js';

export interface ExploreOptions {
  readonly play: Play;
  /** Number of tries that run in parallel. */
  readonly lanes: number;
  /** Machine milliseconds after which no new try begins, but for one that confirms a break. */
  readonly budgetMs: number;
  readonly mostRuns: number;
  /** Maximum number of pairs. */
  readonly mostPairs: number;
  readonly seed: number;
  /** Faults in addition to the catalogue, such as restarts. */
  readonly more?: (baseline: Facts) => readonly Placed[];
  readonly ignores?: (kind: string, cell: Cell) => string | null;
  readonly onProgress?: (progress: Progress) => void;
  /** Machine time in milliseconds. */
  readonly now: () => number;
}

/** Maximum number of cells of one kind of break that are repeated to confirm it. */
const mostConfirmations = 3;
/** Maximum number of gentler faults that are tried instead of one that broke something. */
const mostGentler = 4;
/** Share of the budget for tries; if something broke, the rest is for its confirmation. */
const exploringShare = 0.8;

export async function explore(options: ExploreOptions): Promise<Report> {
  const exploration = new Exploration(options);
  return exploration.run();
}

class Exploration {
  readonly #options: ExploreOptions;
  readonly #startedMs: number;
  readonly #cells: Cell[] = [];
  #tried = 0;

  constructor(options: ExploreOptions) {
    this.#options = options;
    this.#startedMs = options.now();
  }

  async run(): Promise<Report> {
    const { more, mostPairs, seed } = this.#options;
    const { runs, lanes, notes } = await baseline(this.#options);
    const reference = referenceOf(runs);
    const extra = more?.(reference.run.facts) ?? [];
    const own = pointsOf(runs.map(({ facts }) => facts));
    const points = [
      ...new Map([...own, ...extra.map(({ point }) => point)].map((point) => [point.id, point])).values(),
    ];
    const all = inOrder(own, this.#options);
    const soFar = () => this.#report(reference, points, [], notes);
    await this.#tryAll(
      // Requested faults come first, because a small budget may end before the catalogue does.
      [...extra, ...all].map((placed) => [placed]),
      reference,
      lanes,
      soFar,
    );
    if (this.#isAffordable()) await this.#tryAll(pairsOf(this.#cells, mostPairs, seed), reference, lanes, soFar);
    const breaks = await this.#confirm(reference);
    return this.#report(reference, points, breaks, [...notes, ...notesOf(reference, points)]);
  }

  #report(reference: Reference, points: readonly Point[], breaks: readonly Break[], notes: readonly string[]): Report {
    const place = new Map(points.map(({ id }, i) => [id, i]));
    const order = (cell: Cell) => place.get(cell.placed[0]?.point.id ?? '') ?? 0;
    return {
      seed: this.#options.seed,
      baseline: outcomeOf(reference.run),
      points,
      cells: this.#cells.map((cell) => withIgnored(cell, breaks)).sort((a, b) => order(a) - order(b)),
      breaks,
      tried: this.#tried,
      seconds: this.#seconds(),
      notes,
    };
  }

  #seconds(): number {
    return Math.round(this.#spentMs() / 100) / 10;
  }

  #spentMs(): number {
    return this.#options.now() - this.#startedMs;
  }

  #isAffordable(share = this.#cells.some(({ state }) => state === 'broken') ? exploringShare : 1): boolean {
    return this.#spentMs() < this.#options.budgetMs * share && this.#tried < this.#options.mostRuns;
  }

  async #tryAll(
    wanted: readonly (readonly Placed[])[],
    reference: Reference,
    lanes: number,
    report: () => Report,
  ): Promise<void> {
    const { play, onProgress } = this.#options;
    const queue = [...wanted];
    const lane = async () => {
      for (let placed = queue.shift(); placed !== undefined; placed = queue.shift()) {
        if (!this.#isAffordable()) {
          this.#cells.push({ placed, state: 'not tried', deviations: [], outcome: null });
          continue;
        }
        this.#tried += 1;
        const cell = cellOf(reference, await play(placed, usual), placed);
        this.#cells.push(cell);
        onProgress?.({
          done: this.#tried,
          left: queue.length,
          broken: this.#cells.filter(({ state }) => state === 'broken').length,
          seconds: this.#seconds(),
          latest: `${titleOf(placed)}: ${cell.state}`,
          report,
        });
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  }

  /** Groups what broke by the kind of deviation and of points, and tries the gentlest of each group again, alone. */
  async #confirm(reference: Reference): Promise<Break[]> {
    const breaks: Break[] = [];
    const disproved = new Map<string, string>();
    for (const { kind, at, cells } of groupsOf(this.#cells)) {
      // One break is always confirmed, even if the budget is used up.
      if (breaks.length > 0 && this.#spentMs() >= this.#options.budgetMs) {
        disproved.set(`${kind} ${at}`, 'The budget ended before it was repeated.');
        continue;
      }
      const found = await this.#firstConfirmed(kind, cells, reference);
      if (found === null) {
        disproved.set(
          `${kind} ${at}`,
          'It did not happen again when it was played alone, or it happened without the fault as well.',
        );
        continue;
      }
      const smallest = await this.#shrunk(kind, found, reference);
      const ignored = this.#options.ignores?.(kind, smallest.cell) ?? null;
      breaks.push({ kind, at, smallest: smallest.cell, deviation: smallest.deviation, tries: cells.length, ignored });
    }
    this.#cells.forEach((cell, i) => {
      const at = kindsAt(cell);
      const deviations = cell.deviations.map((deviation) => {
        const doubt = disproved.get(`${deviation.kind} ${at}`);
        return deviation.doubt === null && doubt !== undefined ? { ...deviation, doubt } : deviation;
      });
      const state =
        cell.state === 'broken' && deviations.every(({ doubt }) => doubt !== null) ? 'doubtful' : cell.state;
      this.#cells[i] = { ...cell, deviations, state };
    });
    return breaks;
  }

  async #firstConfirmed(kind: DeviationKind, cells: readonly Cell[], reference: Reference): Promise<Confirmed | null> {
    for (const cell of cells.slice(0, mostConfirmations)) {
      const run = await this.#options.play(cell.placed, patienceWith(reference, cell.placed));
      const again = cellOf(reference, run, cell.placed);
      const deviation = proofs(again).find((one) =>
        proofs(cell).some((known) => one.kind === kind && isSame(one, known)),
      );
      if (deviation !== undefined)
        return (await this.#happensAnyway(deviation, reference)) ? null : { cell, deviation };
    }
    return null;
  }

  /** Plays the story once more without a fault: on a busy machine, it may end otherwise by itself. */
  async #happensAnyway(deviation: Deviation, reference: Reference): Promise<boolean> {
    const run = await this.#options.play([], usual);
    return deviationsOf(reference, run, []).some((one) => isSame(one, deviation));
  }

  /** Tries gentler faults that were not among those tried, in place of one that broke something. */
  async #shrunk(kind: DeviationKind, found: Confirmed, reference: Reference): Promise<Confirmed> {
    for (const placed of this.#gentler(found.cell).slice(0, mostGentler)) {
      if (!this.#isAffordable(1)) break;
      this.#tried += 1;
      const cell = cellOf(reference, await this.#options.play(placed, patienceWith(reference, placed)), placed);
      const known = this.#cells.findIndex((one) => idOf(one.placed) === idOf(placed));
      if (known >= 0) this.#cells[known] = cell;
      else this.#cells.push(cell);
      const deviation = proofs(cell).find((one) => one.kind === kind);
      if (deviation !== undefined) return { cell, deviation };
    }
    return found;
  }

  /** Returns the breaks, the gentlest first. */
  #gentler({ placed }: Cell): (readonly Placed[])[] {
    const done = new Set(this.#cells.filter(({ state }) => state !== 'not tried').map((cell) => idOf(cell.placed)));
    const others = placed.flatMap((each, i) =>
      [...faultsAt(each.point, true), ...milder(each.fault)]
        .filter(({ rank }) => rank < each.fault.rank)
        .map((fault) => placed.with(i, { point: each.point, fault })),
    );
    return others.filter((one) => !done.has(idOf(one))).sort((a, b) => weight(a) - weight(b));
  }
}

interface Confirmed {
  readonly cell: Cell;
  readonly deviation: Deviation;
}

/** Orders tries so that each fault is tried at one point of each kind first, which suits a small budget. */
function inOrder(points: readonly Point[], { seed }: ExploreOptions): Placed[] {
  const seen = new Map<string, number>();
  const draw = createStream(seed, 'explore', 'order', {});
  const all = points.flatMap((point, i) => {
    const isFirst = points.findIndex(({ kind }) => kind === point.kind) === i;
    return faultsAt(point, isFirst).map((fault) => {
      const key = `${point.kind} ${String(point.match['status'])} ${fault.id}`;
      const round = seen.get(key) ?? 0;
      seen.set(key, round + 1);
      return { placed: { point, fault }, round, rank: fault.rank, chance: draw.next() };
    });
  });
  return all.sort((a, b) => a.round - b.round || a.rank - b.rank || a.chance - b.chance).map(({ placed }) => placed);
}
