/** Repeats a read whenever it is asked to, but not more often than a pause allows, and one at a time. */
import { later, monotonicMs } from './browser.js';

/** After a slow read, the pause is this many times its duration. */
const easing = 3;

export class Repeater {
  readonly #work: () => Promise<unknown>;
  readonly #pauseMs: number;
  #nextMs = 0;
  #running = false;
  #asked = false;
  #stopped = false;

  /** @param pauseMs the least time between the end of one read and the start of the next */
  constructor(work: () => Promise<unknown>, pauseMs = 250) {
    this.#work = work;
    this.#pauseMs = pauseMs;
  }

  ask(): void {
    if (this.#asked || this.#stopped) return;
    this.#asked = true;
    if (!this.#running) this.#plan();
  }

  stop(): void {
    this.#stopped = true;
  }

  #plan(): void {
    const waitMs = this.#nextMs - monotonicMs();
    if (waitMs > 0) later(waitMs, () => void this.#run());
    else void this.#run();
  }

  async #run(): Promise<void> {
    if (this.#stopped) return;
    this.#asked = false;
    this.#running = true;
    const startMs = monotonicMs();
    await this.#work();
    this.#running = false;
    this.#nextMs = monotonicMs() + Math.max(this.#pauseMs, easing * (monotonicMs() - startMs));
    this.#again();
  }

  #again(): void {
    if (this.#asked) this.#plan();
  }
}
