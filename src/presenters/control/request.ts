/** An entry of the journal, as the control plane shows it. */
import { isoTime } from '../../domain/instant.js';
import { bodyOf, type RequestRecord } from '../../domain/request-record.js';

export function showRequest(record: RequestRecord) {
  const { atMs, durationMs, request, response, bytes: _bytes, ...rest } = record;
  return {
    ...rest,
    at: isoTime(atMs),
    duration_ms: durationMs,
    request: shown(request),
    // What a fault kept back is not shown.
    response: record.status === null ? null : shown(response),
  };
}

function shown<Part extends RequestRecord['request']>(part: Part) {
  const { text: _text, ...rest } = part;
  return { ...rest, body: bodyOf(part) ?? null };
}
