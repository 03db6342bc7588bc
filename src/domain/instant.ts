/** `YYYY-MM-DDTHH:mm:ss.sssZ`, the form of every timestamp (contract §2). */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** As `isoTime`, with null for what has not happened. */
export function isoTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}
