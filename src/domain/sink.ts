/**
 * The built-in receiver: a webhook URL `https://sink.sandbox/NAME` is delivered here.
 */
import type { Row } from './row.js';

/** Real milliseconds by which a sink may delay a response. */
export const longestSinkDelayMs = 60_000;

export interface SinkAnswer {
  readonly status: number;
  /** Real time by which the response is delayed. */
  readonly delayMs: number;
  /** How many requests get this response; null for all that follow. */
  readonly times: number | null;
}

/** `id` is the sink's name. */
export interface Sink extends Row {
  readonly answers: readonly SinkAnswer[];
  /** How many requests have got one of the present responses. */
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

/** The response of the sink to its next request. Without a script it is 200. */
export function nextAnswer(sink: Pick<Sink, 'answers' | 'served'> | undefined): SinkAnswer {
  const plain: SinkAnswer = { status: 200, delayMs: 0, times: null };
  let left = sink?.served ?? 0;
  for (const answer of sink?.answers ?? []) {
    if (answer.times === null || left < answer.times) return answer;
    left -= answer.times;
  }
  return plain;
}
