let latestMs = NaN;
let latestText = '';

/** `YYYY-MM-DDTHH:mm:ss.sssZ`, the form of every timestamp (contract §2). Most are asked for several times in a row. */
export function isoTime(ms: number): string {
  if (ms !== latestMs) {
    latestText = new Date(ms).toISOString();
    latestMs = ms;
  }
  return latestText;
}

/** As `isoTime`, with null for what has not happened. */
export function isoTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}
