/** Notices that nothing has come for a while: from one look to the next, so that what comes costs nothing. */
import type { SystemClock } from '../../time/system-clock.js';
import { Alarm } from './timer.js';

export interface LullParts {
  readonly host: SystemClock;
  /** From one look to the next, in machine milliseconds. */
  readonly everyMs: number;
  /** How much has come since the start. */
  readonly count: () => number;
  /** Told when nothing came between two looks; it then looks no more. */
  readonly onLull: () => void;
}

export class Lull {
  readonly #count: () => number;
  readonly #alarm: Alarm;
  #before = 0;

  constructor({ host, everyMs, count, onLull }: LullParts) {
    this.#count = count;
    this.#alarm = new Alarm(host, everyMs, () => {
      if (count() === this.#before) onLull();
      else this.watch();
    });
  }

  /** Looks from now on, if it does not already. */
  watch(): void {
    if (this.#alarm.isSet) return;
    this.#before = this.#count();
    this.#alarm.set();
  }

  stop(): void {
    this.#alarm.stop();
  }
}
