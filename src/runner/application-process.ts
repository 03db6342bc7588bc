/** The application of a run: one process that can be restarted, and a user who calls it. */
import type { HttpAction } from '../language/application.js';
import type { Application as ApplicationUnderTest } from '../account/application.js';
import { ApplicationUser, type UserResponse } from '../stage/application-user.js';
import { freePort, startApplication, waitForUrl, type Application } from './application.js';

export interface ApplicationProcessParts {
  /** The command line that starts it; null for an application that runs already. `{port}` stands for a free port. */
  readonly command: string | null;
  /** The URL that responds when it is ready; null to not wait. `{port}` as above. */
  readonly waitFor: { readonly url: string; readonly timeoutMs: number } | null;
  /** Its address, if neither a port nor `waitFor` says it. */
  readonly address?: string | null;
  readonly variables: () => Readonly<Record<string, string>>;
  readonly onOutput: (text: string) => void;
  readonly codeOf: (phone: string) => Promise<string | null>;
  /** Returns the time of the account, in milliseconds. */
  readonly nowMs: () => number;
  readonly stdout?: () => string;
  /** Called when a user's call or a restart begins and ends. */
  readonly onStep?: () => void;
  /** Called before the user repeats a call. */
  readonly onComeback?: () => void;
  readonly onResponse?: (call: HttpAction, response: UserResponse) => void;
  /** Machine milliseconds that a step of the scenario waits for a state. */
  readonly untilMs?: () => number | undefined;
  readonly signal: AbortSignal;
}

export class ApplicationProcess implements ApplicationUnderTest {
  readonly isOwned = true;
  #process: Application | null = null;
  #port: number | null = null;
  #user: ApplicationUser;
  #ended: (exitCode: number) => void = () => undefined;
  #restarting = false;
  /** Resolves with the exit code when it ends, other than by a restart or `stop`. */
  readonly ended = new Promise<number>((resolve) => (this.#ended = resolve));

  #began: () => void = () => undefined;
  readonly #beginning = new Promise<void>((resolve) => (this.#began = resolve));
  /** Whether the time of the scenario has begun. */
  hasBegun = false;
  hasRestarted = false;

  constructor(private readonly parts: ApplicationProcessParts) {
    this.#user = this.#newUser();
  }

  /** Starts it if there is a command; `ready` waits for it. */
  async start(): Promise<void> {
    const { command, waitFor } = this.parts;
    if (`${command ?? ''}${waitFor?.url ?? ''}`.includes('{port}')) this.#port ??= await freePort();
    this.#user = this.#newUser();
    if (command === null) return;
    const { onOutput } = this.parts;
    const process = startApplication({ command: this.#filled(command), variables: this.variables, onOutput });
    this.#process = process;
    void process.ended.then((exitCode) => {
      if (!this.#restarting && this.#process === process) this.#ended(exitCode);
    });
  }

  /** What the application finds in its environment, and a command that calls it. */
  get variables(): Readonly<Record<string, string>> {
    return { ...this.parts.variables(), ...(this.#port !== null && { PORT: String(this.#port) }) };
  }

  /** @throws ApplicationError if it does not respond in time */
  async ready(): Promise<void> {
    const { waitFor, signal } = this.parts;
    if (waitFor === null) return;
    const { timeoutMs } = waitFor;
    await waitForUrl({ url: this.#filled(waitFor.url), timeoutMs, application: this.#process, signal });
  }

  /** Lets the steps of the scenario begin. */
  begin(): void {
    this.hasBegun = true;
    this.#began();
  }

  begun(): Promise<void> {
    return this.#beginning;
  }

  get untilMs(): number | undefined {
    return this.parts.untilMs?.();
  }

  async call(call: HttpAction) {
    this.parts.onStep?.();
    const response = await this.#user.call(call);
    this.parts.onStep?.();
    this.parts.onResponse?.(call, response);
    return response;
  }

  forget(): void {
    this.#user.forget();
  }

  read(paths: readonly string[]) {
    return this.#user.read(paths);
  }

  /** Stops and starts it. Returns the reason if that failed. */
  async restart(): Promise<string | null> {
    const user = this.#user;
    if (this.parts.command === null) return 'only an application that --app starts can be restarted';
    this.#restarting = true;
    this.hasRestarted = true;
    this.parts.onStep?.();
    try {
      await this.#process?.stop();
      await this.start();
      // The user remembers what was saved before.
      this.#user = user;
      await this.ready();
      this.parts.onStep?.();
      return null;
    } catch (error) {
      return `the application did not start again: ${error instanceof Error ? error.message : String(error)}`;
    } finally {
      this.#restarting = false;
    }
  }

  /** @param politeMs how long it may take, in machine milliseconds */
  async stop(politeMs?: number): Promise<void> {
    this.#restarting = true;
    await this.#process?.stop(politeMs);
  }

  #newUser(): ApplicationUser {
    const { waitFor, address, codeOf, nowMs, stdout, onComeback } = this.parts;
    const port = this.#port === null ? (address ?? '') : `http://127.0.0.1:${this.#port}`;
    return new ApplicationUser({
      origin: waitFor === null ? port : new URL(this.#filled(waitFor.url)).origin,
      codeOf,
      nowMs,
      stdout,
      onComeback,
    });
  }

  #filled(text: string): string {
    return text.replaceAll('{port}', String(this.#port ?? ''));
  }
}
