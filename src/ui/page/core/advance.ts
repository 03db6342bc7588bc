/** Moves the account's clock, and shows what happens meanwhile. */
import { signal } from '@preact/signals';
import { type Api, done, showError } from './api.js';
import type { LiveClock } from './clock.js';
import type { Frame } from './live.js';
import { durationMs, type Move } from './move.js';
import type { Advanced } from './records.js';

/** A move of the clock in progress. */
export interface Moving {
  readonly fromMs: number;
  /** Null if only the sandbox can compute it. */
  readonly targetMs: number | null;
  /** Number of changes reported since the start, by kind. */
  readonly seen: Readonly<Record<string, number>>;
  readonly stopping: boolean;
}

export class Advances {
  readonly moving = signal<Moving | null>(null);
  /** The latest finished move, until it is dismissed. */
  readonly last = signal<{ readonly fromMs: number; readonly result: Advanced } | null>(null);
  #queue: Promise<void> = Promise.resolve();
  /** Changes when the moves that wait are cancelled. */
  #turn = 0;

  /** @param ended called after each move */
  constructor(
    private readonly api: Api,
    private readonly clock: LiveClock,
    private readonly ended: () => void,
  ) {}

  /** Moves the clock, after the moves that are in progress or waiting. */
  start(move: Move): void {
    const turn = this.#turn;
    this.#queue = this.#queue.then(() => (turn === this.#turn ? this.#run(move) : undefined));
  }

  /** Stops the current move at once, and cancels those that wait. */
  async stop(): Promise<void> {
    this.#turn += 1;
    if (this.moving.value) this.moving.value = { ...this.moving.value, stopping: true };
    await done(this.api.DELETE('/_sandbox/clock/advance')).catch(showError);
  }

  /** Counts what the stream reports. */
  hear(frames: readonly Frame[]): void {
    const moving = this.moving.peek();
    if (moving === null) return;
    const seen = { ...moving.seen };
    for (const { kind } of frames) seen[kind] = (seen[kind] ?? 0) + 1;
    this.moving.value = { ...moving, seen };
  }

  async #run(move: Move): Promise<void> {
    this.last.value = null;
    const fromMs = this.clock.now.peek() ?? 0;
    const byMs = 'by' in move ? durationMs(move.by) : null;
    const targetMs = 'to' in move ? Date.parse(move.to) : byMs && fromMs + byMs;
    this.moving.value = { fromMs, targetMs, seen: {}, stopping: false };
    try {
      const result = await done(this.api.POST('/_sandbox/clock/advance', { body: move }));
      this.clock.seen(result.now);
      this.last.value = { fromMs, result };
    } catch (error) {
      this.#turn += 1;
      showError(error);
    }
    this.moving.value = null;
    this.ended();
  }
}
