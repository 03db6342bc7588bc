/** Plays a story without faults, then with each fault at each point, and finds the smallest that breaks the application. */
import { createStream } from '../random/stream.js';
import { faultsAt } from './catalogue.js';
import { deviationsOf } from './compare.js';
import { referenceOf, type Reference } from './end-state.js';
import { pairsOf } from './pairs.js';
import { pointsOf } from './points.js';
import type { Break, Cell, Deviation, Facts, Placed, Point, Progress, Report, Run } from './types.js';

/** How long an application may take to come to its end by itself, after the story. */
export interface Patience {
  /** Machine milliseconds; 0: as usual. */
  readonly realMs: number;
  /** Whether the end is the expected one, so that there is nothing to wait for. */
  readonly isOver: (facts: Facts) => boolean;
}

/** Plays the story once in a new account. */
export type Play = (placed: readonly Placed[], patience: Patience) => Promise<Run>;

const usual: Patience = { realMs: 0, isOver: () => true };
/** An application that waits for a sign of a call whose response it lost may wait for minutes. */
const patientMs = { uncertain: 150_000, else: 20_000 };

function patienceWith(reference: Reference, placed: readonly Placed[]): Patience {
  const realMs = placed.some(({ fault }) => fault.class === 'uncertain') ? patientMs.uncertain : patientMs.else;
  const run = { ...reference.run, said: null };
  return {
    realMs,
    isOver: (facts) => deviationsOf({ ...reference, said: null }, { ...run, facts }, placed).length === 0,
  };
}

export interface ExploreOptions {
  readonly play: Play;
  /** How many tries may run side by side. */
  readonly lanes: number;
  /** Machine milliseconds after which no new try begins. */
  readonly budgetMs: number;
  readonly mostRuns: number;
  /** How many pairs are tried at most. */
  readonly mostPairs: number;
  readonly seed: number;
  /** Only faults that fit, such as `503` or `doubled`; default all. */
  readonly only?: (placed: Placed) => boolean;
  readonly ignores?: (kind: string, cell: Cell) => string | null;
  readonly onProgress?: (progress: Progress) => void;
  /** Machine time in milliseconds. */
  readonly now: () => number;
}

/** The story does not end well even without a fault. */
export class StoryFails extends Error {
  override readonly name = 'StoryFails';
}

const stabilityRuns = 3;
/** Cells of one kind of break that are tried again before it counts as not confirmed. */
const mostConfirmations = 3;

export async function explore(options: ExploreOptions): Promise<Report> {
  const startedMs = options.now();
  const seconds = () => Math.round((options.now() - startedMs) / 100) / 10;
  const { runs, lanes, notes } = await baseline(options);
  const reference = referenceOf(runs);
  const points = pointsOf(runs.map(({ facts }) => facts));
  const singles = inOrder(points, options);
  const cells: Cell[] = [];
  let tried = 0;
  const affordable = () => options.now() - startedMs < options.budgetMs && tried < options.mostRuns;
  const tryAll = async (wanted: readonly (readonly Placed[])[]) => {
    const queue = [...wanted];
    const lane = async () => {
      for (let placed = queue.shift(); placed !== undefined; placed = queue.shift()) {
        if (!affordable()) {
          cells.push({ placed, state: 'not tried', deviations: [] });
          continue;
        }
        tried += 1;
        const cell = cellOf(reference, await options.play(placed, usual), placed);
        cells.push(cell);
        options.onProgress?.({
          done: tried,
          left: queue.length,
          broken: cells.filter(({ state }) => state === 'broken').length,
          seconds: seconds(),
          latest: `${titleOf(placed)}: ${cell.state}`,
        });
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  };
  await tryAll(singles.map((placed) => [placed]));
  if (affordable()) await tryAll(pairsOf(cells, options.mostPairs, options.seed));
  const breaks = await confirm(cells, reference, options);
  const place = new Map(points.map(({ id }, i) => [id, i]));
  const order = (cell: Cell) => place.get(cell.placed[0]?.point.id ?? '') ?? 0;
  return {
    seed: options.seed,
    baseline: reference.run,
    points,
    cells: cells.map((cell) => withIgnored(cell, breaks)).sort((a, b) => order(a) - order(b)),
    breaks,
    tried,
    seconds: seconds(),
    notes: [...notes, ...notesOf(reference, points)],
  };
}

/** Once alone; then twice side by side, which shows whether the application allows that. */
async function baseline({ play, lanes }: ExploreOptions): Promise<{ runs: Run[]; lanes: number; notes: string[] }> {
  const first = await play([], usual);
  const why = first.timedOut ? 'it did not end in time' : first.failure;
  if (why !== null) throw new StoryFails(`The story fails without any fault: ${why}.`);
  const more = () => play([], usual);
  if (lanes > 1) {
    const together = await Promise.all(Array.from({ length: stabilityRuns - 1 }, more));
    if (together.every((run) => run.failure === null && !run.timedOut))
      return { runs: [first, ...together], lanes, notes: [] };
  }
  const runs = [first];
  while (runs.length < stabilityRuns) runs.push(await more());
  const failed = runs.find((run) => run.failure !== null || run.timedOut);
  if (failed)
    throw new StoryFails(`The story fails at times without any fault: ${failed.failure ?? 'it did not end in time'}.`);
  const note = 'Tries ran one after another: side by side, the application failed without a fault.';
  return { runs, lanes: 1, notes: lanes > 1 ? [note] : [] };
}

/** Each fault at one point of each kind first, so that a small budget sees something of everything. */
function inOrder(points: readonly Point[], { only, seed }: ExploreOptions): Placed[] {
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
  return all
    .sort((a, b) => a.round - b.round || a.rank - b.rank || a.chance - b.chance)
    .map(({ placed }) => placed)
    .filter((placed) => only?.(placed) ?? true);
}

export function titleOf(placed: readonly Placed[]): string {
  return placed.map(({ point, fault }) => `${point.title} ${fault.words}`).join(', and ');
}

function cellOf(reference: Reference, run: Run, placed: readonly Placed[]): Cell {
  const reached = Object.values(run.facts.hits).filter((hits) => hits > 0).length === placed.length;
  if (!reached) return { placed, state: 'not reached', deviations: [] };
  const deviations = deviationsOf(reference, run, placed);
  const state = deviations.some(({ doubt }) => doubt === null) ? 'broken' : deviations.length > 0 ? 'doubtful' : 'fine';
  return { placed, state, deviations };
}

/** The gentlest first: fewer faults, then milder ones. */
const weight = ({ placed }: Cell): number => placed.reduce((sum, { fault }) => sum + 100 + fault.rank, 0);

/** Groups what broke by the kind of deviation and of points, and tries the gentlest of each group again, alone. */
async function confirm(cells: Cell[], reference: Reference, { play, ignores }: ExploreOptions): Promise<Break[]> {
  const groups = new Map<string, { kind: Break['kind']; at: string; cells: Cell[] }>();
  for (const cell of cells) {
    const at = [...new Set(cell.placed.map(({ point }) => point.kind))].sort().join(' + ');
    for (const kind of new Set(proofs(cell).map((deviation) => deviation.kind))) {
      const group = groups.get(`${kind} ${at}`) ?? { kind, at, cells: [] };
      group.cells.push(cell);
      groups.set(`${kind} ${at}`, group);
    }
  }
  const breaks: Break[] = [];
  const disproved = new Set<string>();
  for (const { kind, at, cells: group } of groups.values()) {
    const candidates = group.sort((a, b) => weight(a) - weight(b)).slice(0, mostConfirmations);
    let confirmed = false;
    for (const cell of candidates) {
      const again = cellOf(reference, await play(cell.placed, patienceWith(reference, cell.placed)), cell.placed);
      const same = proofs(again).find((one) => proofs(cell).some((known) => one.kind === kind && isSame(one, known)));
      if (same === undefined) continue;
      const ignored = ignores?.(kind, cell) ?? null;
      breaks.push({ kind, at, smallest: cell, deviation: same, tries: group.length, ignored });
      confirmed = true;
      break;
    }
    if (!confirmed) disproved.add(`${kind} ${at}`);
  }
  cells.forEach((cell, i) => {
    const at = [...new Set(cell.placed.map(({ point }) => point.kind))].sort().join(' + ');
    const left = proofs(cell).filter(({ kind }) => !disproved.has(`${kind} ${at}`));
    if (cell.state === 'broken' && left.length === 0)
      cells[i] = { ...cell, state: 'doubtful', deviations: unconfirmed(cell) };
  });
  return breaks;
}

const proofs = ({ deviations }: Cell): Deviation[] => deviations.filter(({ doubt }) => doubt === null);
const isSame = (a: Deviation, b: Deviation): boolean => a.kind === b.kind && a.subject === b.subject;
const unconfirmed = ({ deviations }: Cell): Deviation[] =>
  deviations.map((deviation) => ({
    ...deviation,
    doubt: deviation.doubt ?? 'It did not happen again in a second run.',
  }));

function withIgnored(cell: Cell, breaks: readonly Break[]): Cell {
  if (cell.state !== 'broken') return cell;
  const kinds = new Set(proofs(cell).map(({ kind }) => kind));
  const at = [...new Set(cell.placed.map(({ point }) => point.kind))].sort().join(' + ');
  const own = breaks.filter((each) => each.at === at && kinds.has(each.kind));
  return own.length > 0 && own.every(({ ignored }) => ignored !== null) ? { ...cell, state: 'ignored' } : cell;
}

function notesOf({ run, closeness, unstable, said }: Reference, points: readonly Point[]): string[] {
  const notes = unstable.map((what) => `The ${what} differ between runs without faults, so they are not compared.`);
  if (closeness !== 'text' && !unstable.includes('messages')) {
    notes.push(`The texts of messages differ between runs without faults, so only their ${closeness} is compared.`);
  }
  if (said === null) {
    notes.push(
      'The application says nothing of its own state. Let its last line of output be a JSON object, or name it with --observe, to find more.',
    );
  }
  if (!run.facts.steered) notes.push('The application waits in real time: how late something was is not judged.');
  if (points.length === 0) notes.push('The story made no call and got no delivery, so there was nothing to try.');
  return notes;
}
