/** Whether a process stayed as it was: judged over readings that were taken at rest. */

/** What a process held at rest, after so many operations. */
export interface Reading {
  readonly operations: number;
  /** After the collector has run. */
  readonly heapBytes: number;
  /** Open handles and requests, by the names that Node gives them. */
  readonly resources: Readonly<Record<string, number>>;
}

export interface Growth {
  readonly bytesPerOperation: number;
  readonly allowedBytesPerOperation: number;
  /** Kinds of resources of which there are more at the end than there ever were in the first half. */
  readonly resources: readonly string[];
}

/** A leak of a record is hundreds of bytes an operation; what the machine code and caches of a process gain is less than this. */
const leastAllowed = 4;
/** Over a short run such gains weigh more: so much in all is nobody's leak. */
const allowedInAll = 3 * 1024 * 1024;

/** The first third warms up and is not judged. @throws RangeError with fewer than six readings */
export function growthOf(readings: readonly Reading[]): Growth {
  if (readings.length < 6) throw new RangeError(`Six readings are the least to judge by; found ${readings.length}.`);
  const judged = readings.slice(Math.floor(readings.length / 3));
  const [first] = judged;
  const last = judged.at(-1);
  const span = (last?.operations ?? 0) - (first?.operations ?? 0);
  const half = judged.slice(0, Math.ceil(judged.length / 2));
  const most = (name: string) => Math.max(...half.map(({ resources }) => resources[name] ?? 0));
  return {
    bytesPerOperation: slope(judged.map(({ operations, heapBytes }) => [operations, heapBytes])),
    allowedBytesPerOperation: Math.max(leastAllowed, allowedInAll / span),
    resources: Object.entries(last?.resources ?? {})
      .filter(([name, count]) => count > most(name))
      .map(([name, count]) => `${name}: ${most(name)} at most before, ${count} at the end`),
  };
}

/** Of the straight line that lies closest to all points: one high reading at the end makes no leak. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const over = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const under = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return under === 0 ? 0 : over / under;
}
