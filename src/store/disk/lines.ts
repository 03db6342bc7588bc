/** Where a line of a file's bytes is, and where the next one begins. */
export interface Line {
  readonly start: number;
  /** Where its bytes stop, the line's end not among them. */
  readonly stop: number;
  /** Bytes up to and with the line's end. */
  readonly end: number;
  /** False for bytes at the end of the file that no line end follows. */
  readonly whole: boolean;
}

/** The lines of a file one by one: a file may be longer than a string can be. */
export function* linesOf(bytes: Buffer, from = 0): Generator<Line> {
  for (let start = from; start < bytes.length;) {
    const at = bytes.indexOf(10, start);
    const stop = at === -1 ? bytes.length : at;
    const end = at === -1 ? stop : at + 1;
    yield { start, stop, end, whole: at !== -1 };
    start = end;
  }
}

export function lineText(bytes: Buffer, { start, stop }: Line): string {
  return bytes.toString('utf8', start, stop);
}
