/** Moves the account's clock: one move at a time, in the order of the requests. */
import { computed, signal, type Signal } from '@preact/signals';
import { tellRefusal, type Api } from './api.js';
import type { LiveClock } from './clock.js';
import type { Frame } from './live.js';
import { durationMs, type Move } from './move.js';
import { taste } from './preference.js';
import type { Advanced } from './records.js';

/** A move of the clock in progress. */
export interface Moving {
  readonly move: Move;
  readonly fromMs: number;
  /** Null if only the sandbox can compute it. */
  readonly targetMs: number | null;
  /** Number of changes reported since the start, by kind. */
  readonly seen: Readonly<Record<string, number>>;
  readonly stopping: boolean;
}

/** A finished move. */
export interface Moved {
  readonly fromMs: number;
  readonly result: Advanced;
}

export class Advances {
  readonly moving = signal<Moving | null>(null);
  readonly waiting = signal<readonly Move[]>([]);
  /** The latest finished move, until it is dismissed. */
  readonly last = signal<Moved | null>(null);
  /** Whether this browser has ever seen the clock of the account being moved. */
  readonly everMoved: Signal<boolean>;
  /** The progress of the current move, from 0 to 1; null if its end is unknown. */
  readonly progress = computed(() => {
    const { moving } = this;
    const nowMs = this.#clock.now.value;
    if (moving.value === null || moving.value.targetMs === null || nowMs === null) return null;
    const { fromMs, targetMs } = moving.value;
    return targetMs <= fromMs ? 1 : Math.min(1, Math.max(0, (nowMs - fromMs) / (targetMs - fromMs)));
  });

  readonly #api: Api;
  readonly #clock: LiveClock;
  readonly #ended: (moved: Moved) => void;
  #isRunning = false;

  /** @param ended called with each finished move */
  constructor(api: Api, clock: LiveClock, ended: (moved: Moved) => void) {
    this.everMoved = taste(`moved/${api.key ?? ''}`, false);
    this.#api = api;
    this.#clock = clock;
    this.#ended = ended;
  }

  /** Moves the clock, after the moves that are in progress or waiting. */
  start(move: Move): void {
    this.waiting.value = [...this.waiting.value, move];
    if (!this.#isRunning) void this.#run();
  }

  /** Stops the current move at once, and cancels those that wait. */
  async stop(): Promise<void> {
    this.waiting.value = [];
    if (this.moving.value) this.moving.value = { ...this.moving.value, stopping: true };
    await this.#api.delete('/_sandbox/clock/advance').catch(tellRefusal);
  }

  /** Receives the frames of the stream, to show the current activity. */
  hear(frames: readonly Frame[]): void {
    if (frames.some(({ kind }) => kind === 'clock.changed')) this.everMoved.value = true;
    const moving = this.moving.peek();
    if (moving === null) return;
    const seen = { ...moving.seen };
    for (const { kind } of frames) seen[kind] = (seen[kind] ?? 0) + 1;
    this.moving.value = { ...moving, seen };
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let [move] = this.waiting.value; move; [move] = this.waiting.value) {
      this.waiting.value = this.waiting.value.slice(1);
      this.last.value = null;
      try {
        const fromMs = this.#clock.now.peek() ?? Date.parse((await this.#api.get('/_sandbox/clock')).now);
        this.moving.value = { move, fromMs, targetMs: targetOf(move, fromMs), seen: {}, stopping: false };
        const result = await this.#api.post('/_sandbox/clock/advance', { body: move });
        this.#clock.seen(result.now);
        this.last.value = { fromMs, result };
        this.#ended(this.last.value);
      } catch (error) {
        this.waiting.value = [];
        this.moving.value = null;
        tellRefusal(error);
      }
    }
    this.#isRunning = false;
    this.moving.value = null;
  }
}

function targetOf(move: Move, fromMs: number): number | null {
  if ('to' in move) return Date.parse(move.to);
  if ('by' in move) return fromMs + (durationMs(move.by) ?? 0);
  return null;
}
