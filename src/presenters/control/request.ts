/** An entry of the journal, as the control plane shows it (contract §4, shapes). */
import { isoTime } from '../../domain/instant.js';
import type { RequestRecord } from '../../domain/request-record.js';

export function showRequest(record: RequestRecord) {
  const { atMs, durationMs, request, response, bytes: _bytes, ...rest } = record;
  return {
    ...rest,
    at: isoTime(atMs),
    duration_ms: durationMs,
    request: { ...request, body: request.body ?? null },
    /** A fault kept it back: what was not sent is not shown. */
    response: record.status === null ? null : { ...response, body: response.body ?? null },
  };
}
