/** The report of an exploration as the panel reads it, and the matrix built from it. */
export type CellState = 'fine' | 'broken' | 'doubtful' | 'ignored' | 'not reached' | 'not tried';

export interface Happening {
  readonly at: string;
  readonly words: string;
}

export interface Cell {
  readonly faults: readonly { readonly point: string; readonly fault: string }[];
  readonly title: string;
  readonly state: CellState;
  readonly deviations: readonly { readonly kind: string; readonly sentence: string; readonly doubt: string | null }[];
  /**
   * For a deviation: its end state, and its story from the point where it diverges from the story without the fault.
   */
  readonly end?: readonly string[];
  readonly parts_at?: number;
  readonly story?: readonly Happening[];
}

export interface Break {
  readonly kind: string;
  readonly at: string;
  readonly fault: string;
  readonly sentence: string;
  readonly ignored: string | null;
  readonly file: string | null;
  readonly scenario: string | null;
  readonly cell: Cell['faults'];
}

export interface Report {
  readonly points: readonly { readonly id: string; readonly title: string }[];
  readonly baseline: { readonly end: readonly string[]; readonly story: readonly Happening[] };
  readonly cells: readonly Cell[];
  readonly breaks: readonly Break[];
  readonly notes: readonly string[];
}

export interface Exploration {
  readonly state: 'none' | 'running' | 'done';
  readonly progress: {
    readonly done: number;
    readonly left: number;
    readonly broken: number;
    readonly seconds: number;
    readonly latest: string;
  } | null;
  readonly report: Report | null;
}

export const signs: Readonly<Record<CellState, string>> = {
  fine: '·',
  broken: '✕',
  doubtful: '?',
  ignored: 'i',
  'not reached': '–',
  'not tried': '',
};

export const idOf = ({ faults }: Pick<Cell, 'faults'>): string =>
  faults.map(({ point, fault }) => `${point} ${fault}`).join(' + ');

export interface Matrix {
  readonly faults: readonly string[];
  readonly rows: readonly { readonly title: string; readonly cells: readonly (Cell | null)[] }[];
}

/** Rows are points in the order of the story; columns are faults in the order in which they were tried. */
export function matrixOf({ points, cells }: Report): Matrix {
  const singles = cells.filter(({ faults }) => faults.length === 1);
  const faults = [...new Set(singles.map(({ faults: [one] }) => one?.fault ?? ''))];
  const by = new Map(singles.map((cell) => [idOf(cell), cell]));
  const rows = points.map(({ id, title }) => ({
    title,
    cells: faults.map((fault) => by.get(`${id} ${fault}`) ?? null),
  }));
  return { faults, rows: rows.filter(({ cells: row }) => row.some((cell) => cell !== null)) };
}

/** Aligns the lines of two end states; a line that only one of them has stands alone. */
export function compared(expected: readonly string[], found: readonly string[]) {
  const key = (line: string) => line.replace(/^(sent|verified:) (never|once|\d+ times)/, '$1');
  const others = new Map(found.map((line) => [key(line), line]));
  const rows = expected.map((line) => {
    const other = others.get(key(line)) ?? null;
    others.delete(key(line));
    return { expected: line, found: other };
  });
  return [...rows, ...[...others.values()].map((line) => ({ expected: null, found: line }))];
}

/**
 * Reads a file chosen by the user.
 * @returns null if it is not a report of explore
 */
export function readReport(text: string): Report | null {
  try {
    const report = JSON.parse(text) as Partial<Report> | null;
    return Array.isArray(report?.cells) && Array.isArray(report.points) && report.baseline ? (report as Report) : null;
  } catch {
    return null;
  }
}
