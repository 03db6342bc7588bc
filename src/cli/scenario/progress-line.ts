/** Shows what a run is waiting for, on the last line of a terminal. Without a terminal, nothing is printed. */
import { printableLine } from '../../domain/text.js';
import { machineTime } from '../../time/system-clock.js';

/** Machine milliseconds before progress is shown: after a longer silence, people wonder whether anything happens. */
const PATIENCE_MS = 1_000;
const CLEAR_LINE = '\r\u001b[2K';

export class ProgressLine {
  #beganMs = machineTime.monotonic();
  #shown = '';

  /** @param isShared whether a command writes to the terminal too: then nothing is shown */
  constructor(
    private readonly stream: NodeJS.WriteStream,
    private readonly isShared: boolean,
  ) {}

  show(text: string): void {
    if (this.isShared || !this.stream.isTTY || machineTime.monotonic() - this.#beganMs < PATIENCE_MS) return;
    const line = printableLine(text).slice(0, this.stream.columns - 1);
    if (line !== this.#shown) this.stream.write(CLEAR_LINE + line);
    this.#shown = line;
  }

  /** Shows a text while work is in progress. */
  async during<Result>(text: string, work: Promise<Result>): Promise<Result> {
    const cancel = machineTime.setTimer(PATIENCE_MS, () => this.show(`${text} …`));
    try {
      return await work;
    } finally {
      cancel();
      this.clear();
    }
  }

  /** Prints the output of an application above the line. */
  passOn(text: string): void {
    this.clear();
    this.stream.write(text);
  }

  clear(): void {
    if (this.#shown !== '') this.stream.write(CLEAR_LINE);
    this.#shown = '';
    this.#beganMs = machineTime.monotonic();
  }
}
