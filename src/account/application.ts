import type { HttpAction } from '../language/application.js';

export interface Program {
  /** Its address, such as http://127.0.0.1:3000; empty if nobody knows it. */
  readonly origin: string;
  /** Stops and starts it; absent where somebody else has started it. Returns the reason if that failed. */
  restart?(): Promise<string | null>;
  readonly stdout?: string | undefined;
  /** Machine milliseconds that a step waits for a state; at most 30 s, which is the default. */
  readonly untilMs?: number | undefined;
  readonly onResponse?: ((call: HttpAction, response: Heard) => void) | undefined;
  readonly onComeback?: ((at: string) => void) | undefined;
}

interface Heard {
  readonly status: number | null;
  readonly body?: unknown;
  /** The value without which the call was not made. */
  readonly lacked?: string | undefined;
  /** True if it asks the user to call again, later than anybody waits. */
  readonly isSentAway: boolean;
}

interface UserCall {
  readonly status: number | null;
  readonly words: string;
  readonly lacked?: string;
}

export interface Application {
  /** It can be restarted and its output read, because the sandbox runs beside it. */
  readonly isOwned: boolean;
  /** Machine milliseconds that a step waits for a state, at most 30 s. */
  readonly untilMs?: number | undefined;
  readonly hasBegun: boolean;
  begin(): void;
  begun(): Promise<void>;
  /** `lacked` is the value that the user needed and did not have. */
  call(call: HttpAction): Promise<UserCall>;
  /** A value that a step has saved. */
  saved(name: string): string | undefined;
  forget(): void;
  restart(): Promise<string | null>;
  /** Returns the values at these paths; an object of `Unread` for a path without a 2xx response. */
  read(paths: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
}

export class ApplicationSlot {
  readonly #made = new WeakMap<Program, Application>();
  #lent: Application | null = null;

  constructor(
    private readonly standing: () => Program | null,
    private readonly made: (program: Program) => Application,
  ) {}

  get current(): Application | null {
    const program = this.standing();
    return this.#lent ?? (program && this.#of(program));
  }

  lend(program: Program): () => void {
    const application = this.#of(program);
    this.#lent = application;
    return () => {
      if (this.#lent === application) this.#lent = null;
    };
  }

  #of(program: Program): Application {
    const known = this.#made.get(program) ?? this.made(program);
    this.#made.set(program, known);
    return known;
  }
}
