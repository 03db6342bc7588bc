/** An endpoint as it must look when it comes from outside. */
import type { Endpoint } from '../../../domain/endpoint.js';
import { type Check, count, type Fields, instant, listOf, oneOf, optional, orNull, text } from '../check.js';
import { eventType, rowFields } from './parts.js';

const httpsUrl: Check<string> = (value, path, problems) => {
  const known = typeof value === 'string' && URL.canParse(value) && new URL(value).protocol === 'https:';
  if (!known) problems.add(path(), value, 'an absolute https:// URL');
};

export const endpointFields: Fields<Endpoint> = {
  ...rowFields,
  url: httpsUrl,
  alias: optional(text),
  events: listOf(eventType),
  secret: text,
  status: oneOf<Endpoint['status']>({ active: true, paused: true }),
  pauseReason: orNull(text),
  createdAtMs: instant,
  updatedAtMs: instant,
  failingSinceMs: orNull(instant),
  pauses: optional(count),
};
