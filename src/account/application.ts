/** The application under test, as the steps and checks of a scenario reach it. */
import type { HttpAction } from '../language/application.js';

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
  /** False while a play waits for the application's first call. */
  readonly hasBegun: boolean;
  begin(): void;
  begun(): Promise<void>;
  /**
   * Makes a user's call. @returns the status, null if there was no response; the response in words; and the value that the
   * user lacked, if there was one
   */
  call(call: HttpAction, account: string): Promise<UserCall>;
  /** Ends the story of a user: values that it saved are gone. */
  forget(): void;
  /** Stops and starts it. Returns the reason if that failed. */
  restart(): Promise<string | null>;
  /** Returns the values at these paths; an object of `Unread` for a path without a 2xx response. */
  read(paths: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
}

export class ApplicationSlot {
  #lent: Application | null = null;

  /** @param standing the application of this account whenever none is lent */
  constructor(private readonly standing: () => Application | null) {}

  get current(): Application | null {
    return this.#lent ?? this.standing();
  }

  /** Sets the application until the returned function is called. */
  lend(application: Application): () => void {
    this.#lent = application;
    return () => {
      if (this.#lent === application) this.#lent = null;
    };
  }
}
