/**
 * The built-in receiver: a webhook URL `https://sink.sandbox/NAME` is delivered here.
 */
import type { Row } from './row.js';

/** Real milliseconds that a sink may hold back an answer. */
export const longestSinkDelayMs = 60_000;

export interface SinkAnswer {
  readonly status: number;
  /** Real time the answer is held back. */
  readonly delayMs: number;
  /** How many requests get this answer; null for all that follow. */
  readonly times: number | null;
}

/** `id` is the sink's name. */
export interface Sink extends Row {
  readonly answers: readonly SinkAnswer[];
  /** How many requests the present answers have served. */
  readonly served: number;
}

export interface SinkRequest extends Row {
  readonly sink: string;
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** Null when no endpoint of the account has this URL, so that there is no secret to judge by. */
  readonly signatureValid: boolean | null;
  readonly answered: number;
}

/** The answer that the sink gives to its next request. Without a script it is 200. */
export function nextAnswer(sink: Pick<Sink, 'answers' | 'served'> | undefined): SinkAnswer {
  const plain: SinkAnswer = { status: 200, delayMs: 0, times: null };
  let left = sink?.served ?? 0;
  for (const answer of sink?.answers ?? []) {
    if (answer.times === null || left < answer.times) return answer;
    left -= answer.times;
  }
  return plain;
}
