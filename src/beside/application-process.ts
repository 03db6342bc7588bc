/** One process that can be restarted, and its address. */
import type { Program } from '../sandbox.js';
import { freePort, waitForUrl } from './reach.js';
import { type Running, startProgram } from './spawn.js';

export interface ApplicationProcessParts {
  /** Null for an application that runs already. `{port}` stands for a free port. */
  readonly command: string | null;
  /** Null to not wait. `{port}` as above. */
  readonly waitFor: { readonly url: string; readonly timeoutMs: number } | null;
  /** Its address, if neither a port nor `waitFor` says it. */
  readonly address?: string | null;
  readonly variables: () => Readonly<Record<string, string>>;
  readonly onOutput: (text: string) => void;
  readonly onResponse?: Program['onResponse'];
  readonly onComeback?: Program['onComeback'];
  readonly onRestart?: () => void;
  /** Machine milliseconds that a step of the scenario waits for a state. */
  readonly untilMs?: () => number | undefined;
  readonly signal: AbortSignal;
}

export class ApplicationProcess implements Program {
  #process: Running | null = null;
  #port: number | null = null;
  #ended: (exitCode: number) => void = () => undefined;
  #restarting = false;
  /** Resolves with the exit code when it ends, other than by a restart or `stop`. */
  readonly ended = new Promise<number>((resolve) => (this.#ended = resolve));

  hasRestarted = false;
  stdout = '';
  readonly onResponse: Program['onResponse'];
  readonly onComeback: Program['onComeback'];

  constructor(private readonly parts: ApplicationProcessParts) {
    this.onResponse = parts.onResponse;
    this.onComeback = parts.onComeback;
  }

  async start(): Promise<void> {
    const { command, waitFor } = this.parts;
    if (`${command ?? ''}${waitFor?.url ?? ''}`.includes('{port}')) this.#port ??= await freePort();
    if (command === null) return;
    const { onOutput } = this.parts;
    const process = startProgram({ command: this.#filled(command), variables: this.variables, onOutput });
    this.#process = process;
    void process.ended.then((exitCode) => {
      if (!this.#restarting && this.#process === process) this.#ended(exitCode);
    });
  }

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

  get origin(): string {
    const { waitFor, address } = this.parts;
    if (waitFor !== null) return new URL(this.#filled(waitFor.url)).origin;
    return this.#port === null ? (address ?? '') : `http://127.0.0.1:${this.#port}`;
  }

  get untilMs(): number | undefined {
    return this.parts.untilMs?.();
  }

  async restart(): Promise<string | null> {
    if (this.parts.command === null) return 'only an application that --app starts can be restarted';
    this.#restarting = true;
    this.hasRestarted = true;
    this.parts.onRestart?.();
    try {
      await this.#process?.stop();
      await this.start();
      await this.ready();
      return null;
    } catch (error) {
      return `the application did not start again: ${error instanceof Error ? error.message : String(error)}`;
    } finally {
      this.#restarting = false;
    }
  }

  /** Machine milliseconds. */
  async stop(politeMs?: number): Promise<void> {
    this.#restarting = true;
    await this.#process?.stop(politeMs);
  }

  #filled(text: string): string {
    return text.replaceAll('{port}', String(this.#port ?? ''));
  }
}
