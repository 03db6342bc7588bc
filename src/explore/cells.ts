/** Turns tries into cells of the matrix, and groups those that broke in the same way. */
import { deviationsOf } from './compare.js';
import type { Reference } from './end-state.js';
import { outcomeOf } from './outcome.js';
import type { Break, Cell, Deviation, DeviationKind, Placed, Run } from './types.js';

export const idOf = (placed: readonly Placed[]): string =>
  placed.map(({ point, fault }) => `${point.id} ${fault.id}`).join('\n');

/** Orders tries, the gentlest first: fewer faults, then milder ones. */
export const weight = (placed: readonly Placed[]): number =>
  placed.reduce((sum, { fault }) => sum + 100 + fault.rank, 0);

export const kindsAt = ({ placed }: Cell): string =>
  [...new Set(placed.map(({ point }) => point.kind))].sort().join(' + ');

interface Group {
  readonly kind: DeviationKind;
  readonly at: string;
  readonly cells: Cell[];
}

/** Groups breaks by their kinds of deviation and of points, the gentlest first. */
export function groupsOf(cells: readonly Cell[]): Group[] {
  const groups = new Map<string, Group>();
  for (const cell of cells) {
    const at = kindsAt(cell);
    for (const kind of new Set(proofs(cell).map((deviation) => deviation.kind))) {
      const group = groups.get(`${kind} ${at}`) ?? { kind, at, cells: [] };
      group.cells.push(cell);
      groups.set(`${kind} ${at}`, group);
    }
  }
  for (const group of groups.values()) group.cells.sort((a, b) => weight(a.placed) - weight(b.placed));
  return [...groups.values()];
}

export const proofs = ({ deviations }: Cell): Deviation[] => deviations.filter(({ doubt }) => doubt === null);
export const isSame = (a: Deviation, b: Deviation): boolean => a.kind === b.kind && a.subject === b.subject;

export function withIgnored(cell: Cell, breaks: readonly Break[]): Cell {
  if (cell.state !== 'broken') return cell;
  const kinds = new Set(proofs(cell).map(({ kind }) => kind));
  const own = breaks.filter(({ at, kind }) => at === kindsAt(cell) && kinds.has(kind));
  return own.length > 0 && own.every(({ ignored }) => ignored !== null) ? { ...cell, state: 'ignored' } : cell;
}

export function titleOf(placed: readonly Placed[]): string {
  return placed.map(({ point, fault }) => `${point.title} ${fault.words}`).join(', and ');
}

export function cellOf(reference: Reference, run: Run, placed: readonly Placed[]): Cell {
  const hits = Object.values(run.facts.hits).filter((count) => count > 0).length;
  const isReached = hits === placed.filter(({ fault }) => fault.then !== undefined).length;
  const isRestarted = run.restarted === true || placed.every(({ fault }) => fault.restart !== true);
  if (!isReached || !isRestarted) return { placed, state: 'not reached', deviations: [], outcome: null };
  const deviations = deviationsOf(reference, run, placed);
  const state = deviations.some(({ doubt }) => doubt === null) ? 'broken' : deviations.length > 0 ? 'doubtful' : 'fine';
  return { placed, state, deviations, outcome: deviations.length > 0 ? outcomeOf(run) : null };
}
