/** The built-in receiver of events for the webhook URL `https://sink.sandbox/NAME`. */
import type { Row } from './row.js';

/** Maximum delay of a response by a sink, in real milliseconds. */
export const longestSinkDelayMs = 60_000;

export interface SinkAnswer {
  readonly status: number;
  /** Real time by which the response is delayed. */
  readonly delayMs: number;
  /** Number of requests that get this response; null for all further ones. */
  readonly times: number | null;
}

/** `id` is the sink's name. */
export interface Sink extends Row {
  readonly answers: readonly SinkAnswer[];
  /** Number of requests that have got one of the current responses. */
  readonly served: number;
}

export interface SinkRequest extends Row {
  readonly sink: string;
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** Null if the secret is unknown: no endpoint of the account has this URL. */
  readonly signatureValid: boolean | null;
  readonly answered: number;
}

/** Returns the sink's response to its next request. Without a script, it is 200. */
export function nextAnswer(sink: Pick<Sink, 'answers' | 'served'> | undefined): SinkAnswer {
  const plain: SinkAnswer = { status: 200, delayMs: 0, times: null };
  let left = sink?.served ?? 0;
  for (const answer of sink?.answers ?? []) {
    if (answer.times === null || left < answer.times) return answer;
    left -= answer.times;
  }
  return plain;
}
