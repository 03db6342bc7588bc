/**
 * The generations of an account: a reset, the restore of a snapshot and the removal each end one. Work that began in it changes
 * nothing afterwards, so that no call of one test reaches the next.
 */
import { ServiceError } from '../domain/errors.js';

export class Generation {
  #current = new AbortController();
  readonly #listeners: (() => void)[] = [];

  /** Aborted when the present generation ends; its reason is `wait_interrupted`, the error of a wait. */
  get signal(): AbortSignal {
    return this.#current.signal;
  }

  /** Calls `listener` at the end of each generation, before anything that belongs to it is deleted. */
  onEnd(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** @param how the participle that ends the sentence "The account was …" */
  end(how: 'reset' | 'restored from a snapshot' | 'deleted'): void {
    const ended = this.#current;
    this.#current = new AbortController();
    for (const listener of this.#listeners) listener();
    ended.abort(
      new ServiceError(
        'wait_interrupted',
        `The account was ${how} while this call was under way. The call has changed nothing since.`,
      ),
    );
  }
}
