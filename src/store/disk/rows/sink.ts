/** Sinks and what they received, as they must look when they come from outside. */
import { longestSinkDelayMs, type Sink, type SinkAnswer, type SinkRequest } from '../../../domain/sink.js';
import { bool, type Check, count, type Fields, instant, listOf, number, orNull, record, text } from '../check.js';
import { headers, rowFields } from './parts.js';

/** Node cannot answer with any other number. */
const httpStatus: Check<number> = (value, path, problems) => {
  const known = typeof value === 'number' && Number.isInteger(value) && value >= 200 && value <= 599;
  if (!known) problems.add(path(), value, 'an HTTP status from 200 to 599');
};

/** A socket waits for it: no file may ask for more than a call may. */
const shortDelay: Check<number> = (value, path, problems) => {
  const short = typeof value === 'number' && value >= 0 && value <= longestSinkDelayMs;
  if (!short) problems.add(path(), value, `milliseconds from 0 to ${longestSinkDelayMs}`);
};

export const sinkFields: Fields<Sink> = {
  ...rowFields,
  answers: listOf(record<SinkAnswer>({ status: httpStatus, delayMs: shortDelay, times: orNull(count) })),
  served: count,
};

export const sinkRequestFields: Fields<SinkRequest> = {
  ...rowFields,
  sink: text,
  atMs: instant,
  method: text,
  path: text,
  headers,
  body: text,
  signatureValid: orNull(bool),
  answered: number,
};
