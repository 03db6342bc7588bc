/**
 * A reset, the restore of a snapshot and the removal each end a generation. Work that began in it changes nothing
 * afterwards, so that no call of one test reaches the next.
 */
import { ServiceError } from '../domain/errors.js';

export class Generation {
  #current = new AbortController();
  readonly #listeners: (() => void)[] = [];

  /** Aborted when the present generation ends, with `wait_interrupted` as its reason. */
  get signal(): AbortSignal {
    return this.#current.signal;
  }

  /** The listener runs before anything that belongs to the generation is deleted. */
  onEnd(listener: () => void): void {
    this.#listeners.push(listener);
  }

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
