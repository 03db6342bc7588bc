/** The shape that an entry of the journal must have when it comes from outside. */
import type { RequestRecord } from '../../../domain/request-record.js';
import {
  anything,
  bool,
  count,
  type Fields,
  instant,
  listOf,
  number,
  optional,
  orNull,
  record,
  text,
} from '../check.js';
import { explain, headers, rowFields } from './parts.js';

export const requestFields: Fields<RequestRecord> = {
  ...rowFields,
  atMs: instant,
  operation: orNull(text),
  method: text,
  path: text,
  status: orNull(number),
  durationMs: number,
  request: record<RequestRecord['request']>({
    headers,
    query: optional(text),
    text: optional(text),
    body: optional(anything),
  }),
  response: record<RequestRecord['response']>({
    headers,
    text: optional(text),
    body: optional(anything),
    truncated: optional(bool),
  }),
  bytes: optional(count),
  warnings: listOf(text),
  error: optional(text),
  fault: optional(text),
  explain: optional(explain),
};
