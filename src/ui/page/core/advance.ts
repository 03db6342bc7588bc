import { signal } from '@preact/signals';
import { act, type Api } from './api.js';
import type { LiveClock } from './clock.js';
import type { Advanced, Played } from './records.js';
import { durationMs } from './words.js';

export type Move = { readonly by: string } | { readonly to: string } | { readonly until: 'next' };

const mostPlay = '10m';

export interface Moving {
  readonly fromMs: number;
  /** Null if only the sandbox can compute it. */
  readonly targetMs: number | null;
  /** Number of changes reported since the start, by kind. */
  readonly seen: Readonly<Record<string, number>>;
  readonly stopping: boolean;
  /** The name of the scenario that is played; absent for an advance. */
  readonly plays?: string;
}

export type Moved =
  | { readonly fromMs: number; readonly result: Advanced }
  | { readonly plays: string; readonly played: Played };

export class Advances {
  readonly moving = signal<Moving | null>(null);
  readonly last = signal<Moved | null>(null);
  #waiting: Move[] = [];
  /** Ends the present play: without a caller, the sandbox stops it. */
  #stopPlay: AbortController | null = null;

  constructor(
    private readonly api: Api,
    private readonly clock: LiveClock,
  ) {}

  start(move: Move): void {
    if (this.clock.state === null) return;
    this.#waiting.push(move);
    if (this.moving.peek() === null) void this.#run();
  }

  async play(plays: string, endMs: number | null): Promise<void> {
    if (this.moving.peek() !== null) return;
    this.last.value = null;
    const stop = (this.#stopPlay = new AbortController());
    this.moving.value = { fromMs: this.clock.now.peek() ?? 0, targetMs: endMs, seen: {}, stopping: false, plays };
    const played = await act(
      this.api
        .post('/_sandbox/scenario/play', { body: { max_real: mostPlay }, signal: stop.signal })
        .catch((error: unknown) => {
          if (stop.signal.aborted) return null;
          throw error;
        }),
    );
    if (played) this.last.value = { plays, played };
    this.#stopPlay = null;
    this.moving.value = null;
    if (this.#waiting.length > 0) void this.#run();
  }

  /** Stops the current move at once, and cancels those that wait. */
  async stop(): Promise<void> {
    this.#waiting = [];
    if (this.moving.value) this.moving.value = { ...this.moving.value, stopping: true };
    if (this.#stopPlay) {
      this.#stopPlay.abort();
      return;
    }
    await act(this.api.delete('/_sandbox/clock/advance'));
  }

  count(changes: Readonly<Record<string, number>>): void {
    const moving = this.moving.peek();
    if (moving === null) return;
    const seen = { ...moving.seen };
    for (const [kind, count] of Object.entries(changes)) seen[kind] = (seen[kind] ?? 0) + count;
    this.moving.value = { ...moving, seen };
  }

  async #run(): Promise<void> {
    for (let move = this.#waiting.shift(); move; move = this.#waiting.shift()) {
      this.last.value = null;
      const fromMs = this.clock.now.peek() ?? 0;
      const byMs = 'by' in move ? durationMs(move.by) : null;
      const targetMs = 'to' in move ? Date.parse(move.to) : byMs && fromMs + byMs;
      this.moving.value = { fromMs, targetMs, seen: {}, stopping: false };
      const result = await act(this.api.post('/_sandbox/clock/advance', { body: move }));
      if (result) {
        this.clock.seen(result.now);
        this.last.value = { fromMs, result };
      } else {
        this.#waiting = [];
      }
    }
    this.moving.value = null;
  }
}
