/**
 * Answers given within one turn of the event loop leave together at its end. Each write of its own would wake the caller
 * while the next request is still being worked on; where both share a machine, as in CI, waking cost a third of a send
 * (docs/decisions/012). Alone in its turn, an answer waits for nothing.
 */
import type { ServerResponse } from 'node:http';
import type { SystemClock } from '../../time/system-clock.js';

/** No answer waits behind the work for more than so many others. */
const mostTogether = 64;

export class Departures {
  readonly #host: Pick<SystemClock, 'defer'>;
  #responses: ServerResponse[] = [];
  #texts: string[] = [];

  constructor(host: Pick<SystemClock, 'defer'>) {
    this.#host = host;
  }

  /** Ends `response`, whose head is written, with `text` before other input is read. */
  end(response: ServerResponse, text: string): void {
    if (this.#responses.length === 0) this.#host.defer(() => this.#leave());
    this.#texts.push(text);
    if (this.#responses.push(response) === mostTogether) this.#leave();
  }

  /** May be called with nothing waiting: a full house has left before its turn was over. */
  #leave(): void {
    const responses = this.#responses;
    const texts = this.#texts;
    this.#responses = [];
    this.#texts = [];
    for (const [index, response] of responses.entries()) response.end(texts[index]);
  }
}
