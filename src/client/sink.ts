/** The built-in receiver, reached without a network. */
import type { Connection } from './connection.js';
import { listAll } from './lists.js';
import type { SinkFilter, Sink, SinkRequest, SinkResponse } from './types.js';

export interface SinkControl {
  readonly name: string;
  /** What to register as webhook URL. */
  readonly url: string;
  /** What came in, oldest first, each with `signature_valid`. */
  received(filter?: SinkFilter): Promise<SinkRequest[]>;
  /** How it answers from now on: in turn, the last one for good. A number is a status. */
  respond(...answers: readonly (number | SinkResponse)[]): Promise<Sink>;
}

export function sinkControl(connection: Connection, name: string): SinkControl {
  const path = `/_sandbox/sink/${encodeURIComponent(name)}`;
  return {
    name,
    url: `https://sink.sandbox/${name}`,
    received: (filter) => listAll(connection, `${path}/received`, filter),
    respond: (...answers) => connection.call('PUT', path, { respond: answers.map(responseOf) }),
  };
}

/** One of several plain statuses is meant for one request; the last is meant for the rest. */
function responseOf(answer: number | SinkResponse, place: number, all: readonly unknown[]): SinkResponse {
  if (typeof answer !== 'number') return answer;
  return place === all.length - 1 ? { status: answer } : { status: answer, times: 1 };
}
