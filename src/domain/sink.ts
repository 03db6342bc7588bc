/** The built-in receiver of events for the webhook URL `https://sink.sandbox/NAME`. */
import type { Sink, SinkAnswer } from './rows.js';

export type { Sink, SinkAnswer, SinkRequest } from './rows.js';

/** Maximum delay of a response by a sink, in real milliseconds. A socket waits for this long. */
export const longestSinkDelayMs = 60_000;

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
