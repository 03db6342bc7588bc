/** Shows what a run is waiting for, on the last line of a terminal. Without a terminal, nothing is printed. */
import { printableLine } from '../../domain/printable.js';
import { formatDuration } from '../../time/duration.js';
import { machineTime } from '../../time/system-clock.js';
import type { Progress } from './flow.js';

/** Machine milliseconds before progress is shown: after a longer silence, people wonder whether anything happens. */
const PATIENCE_MS = 1_000;
/** Interval of reprinting the line between lines of a command. */
const NOTE_EVERY_MS = 10_000;
const CLEAR_LINE = '\r\u001b[2K';

export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  readonly #shared: boolean;
  #drawnMs = machineTime.monotonic();
  #shown = '';

  /** @param shared whether a command writes to the terminal too: then a separate line is printed now and then */
  constructor(stream: NodeJS.WriteStream, shared: boolean) {
    this.#stream = stream;
    this.#shared = shared;
  }

  show(what: string, { elapsedMs, lengthMs, waitsFor }: Progress): void {
    const [at, end] = [elapsedMs, lengthMs].map((ms) => formatDuration(Math.floor(ms / 1000) * 1000));
    this.#draw(`${what}: +${at ?? ''} of +${end ?? ''}, waiting for ${waitsFor}`);
  }

  /** Shows a text while work is in progress. */
  async during<Result>(text: string, work: Promise<Result>): Promise<Result> {
    const cancel = machineTime.setTimer(PATIENCE_MS, () => this.#draw(`${text} …`));
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
    this.#stream.write(text);
  }

  clear(): void {
    if (this.#shown !== '' && !this.#shared) this.#stream.write(CLEAR_LINE);
    this.#shown = '';
  }

  #draw(text: string): void {
    const nowMs = machineTime.monotonic();
    const patienceMs = this.#shared ? NOTE_EVERY_MS : this.#shown === '' ? PATIENCE_MS : 0;
    if (!this.#stream.isTTY || nowMs - this.#drawnMs < patienceMs) return;
    const line = printableLine(text).slice(0, this.#stream.columns - 1);
    this.#drawnMs = nowMs;
    if (line === this.#shown) return;
    this.#stream.write(this.#shared ? `${line}\n` : CLEAR_LINE + line);
    this.#shown = line;
  }
}
