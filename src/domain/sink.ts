/** The built-in receiver of events for the webhook URL `https://sink.sandbox/NAME`. */
import { bool, count, listOf, mapOf, type Of, orNull, record, text, valueCheck } from './check.js';
import { httpStatus, instant, method, numbered, oneLine, requestPath } from './forms.js';
import { rowFields } from './row.js';

/** Maximum delay of a response by a sink, in real milliseconds. */
export const longestSinkDelayMs = 60_000;

const within = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && value >= least && value <= most;

const answerFields = {
  /** Node cannot send any other status. */
  status: valueCheck<number>(
    (value) => Number.isInteger(value) && within(value, 200, 599),
    'an HTTP status from 200 to 599',
  ),
  /** Real time by which the response is delayed. A socket waits for this long, so a file has the same limit as a call. */
  delayMs: valueCheck<number>(
    (value) => within(value, 0, longestSinkDelayMs),
    `milliseconds from 0 to ${longestSinkDelayMs}`,
  ),
  /** Number of requests that get this response; null for all further ones. */
  times: orNull(count),
};
export type SinkAnswer = Of<typeof answerFields>;

/** `id` is the sink's name; `served` is the number of requests that have got one of the current responses. */
export const sinkFields = { ...rowFields(oneLine), answers: listOf(record(answerFields)), served: count };
export type Sink = Of<typeof sinkFields>;

export const sinkRequestFields = {
  ...rowFields(numbered('sink')),
  sink: text,
  atMs: instant,
  method,
  path: requestPath,
  headers: mapOf(text),
  body: text,
  /** Null if the secret is unknown: no endpoint of the account has this URL. */
  signatureValid: orNull(bool),
  answered: httpStatus,
};
export type SinkRequest = Of<typeof sinkRequestFields>;

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
