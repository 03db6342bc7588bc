/** Selects the columns of a table that fit its width. */
interface Measured {
  /** The minimum width, in rem. */
  readonly least: number;
  /** 0: always visible. Other columns are hidden by rank, the highest first. */
  readonly rank: number;
}

/** Space between columns, and at both sides of a row, in rem. */
const gap = 0.75;
const sides = 1.8;

/** @param width of the table, in rem */
export function columnsThatFit<C extends Measured>(columns: readonly C[], width: number): readonly C[] {
  const needed = columns.reduce((sum, { least }) => sum + least + gap, sides - gap);
  const last = Math.max(...columns.map(({ rank }) => rank));
  if (needed <= width || last === 0) return columns;
  return columnsThatFit(
    columns.filter(({ rank }) => rank < last),
    width,
  );
}
