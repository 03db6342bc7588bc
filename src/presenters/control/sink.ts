/** A request that a sink received, as the control plane shows it. */
import { isShallow } from '../../domain/depth.js';
import { isoTime } from '../../domain/instant.js';
import type { SinkRequest } from '../../domain/sink.js';

export function showSinkRequest(request: SinkRequest) {
  return {
    seq: request.seq,
    at: isoTime(request.atMs),
    method: request.method,
    path: request.path,
    headers: request.headers,
    body: request.body,
    ...jsonOf(request.body),
    signature_valid: request.signatureValid,
    answered: request.answered,
  };
}

function jsonOf(body: string): { json?: unknown } {
  try {
    const json = JSON.parse(body) as unknown;
    // What cannot be written again cannot be shown either; the bytes are in `body`.
    return isShallow(json) ? { json } : {};
  } catch {
    return {};
  }
}
