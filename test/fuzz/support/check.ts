/** Returns the errors in the response to a call with a known result. */
import { beyondTheSchema } from './beyond.js';
import type { Call } from './calls.js';
import type { Operation } from './operations.js';
import { isSchema, type Schema } from './schema.js';
import type { Reply } from './wire.js';

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly { readonly field?: string; readonly path?: string; readonly message: string }[];
}

export function checkReply(operation: Operation, call: Call, reply: Reply): string[] {
  // A response that a rule set does not say anything about the sandbox.
  if (reply.headers['x-sandbox-rule'] !== undefined) return [];
  const faults: string[] = [];
  const { status } = reply;
  if (status === 431 && call.target.length > 12_000) return [];
  if (status >= 500 && operation.id !== 'receiveAtSink') faults.push(`the sandbox failed with ${status}`);
  if (
    status >= 400 &&
    operation.id !== 'receiveAtSink' &&
    !/^application\/json\b/.test(String(reply.headers['content-type']))
  ) {
    faults.push('an error that is no JSON');
  }
  const refusal = refusalOf(reply);
  if (call.headers['x-sandbox-prefer'] !== undefined) return faults;
  if (call.fate === 'refused' && status !== 400) faults.push(`was not refused as malformed, but answered ${status}`);
  if (call.fate === 'unsupported' && status !== 415)
    faults.push(`its media type was not refused, but answered ${status}`);
  if (call.fate === 'refused' && status === 400) faults.push(...wrongField(call, refusal));
  if (call.fate === 'taken' && refusal?.code === 'validation_error' && !beyondTheSchema(operation.id, refusal)) {
    faults.push(`was refused although the document takes it: ${refusal.message}`);
  }
  return faults;
}

function refusalOf({ status, text }: Reply): Refusal | null {
  if (status < 400) return null;
  try {
    const body = JSON.parse(text) as unknown;
    return isSchema(body) && isSchema(body['error']) ? (body['error'] as Schema & Refusal) : null;
  } catch {
    return null;
  }
}

/** One of the details must name the field, its parent, or a part of it; for the whole body, the message must do so. */
function wrongField({ field }: Call, refusal: Refusal | null): string[] {
  if (field === null || field === '') return [];
  const details = (refusal?.details ?? []).map(({ field: name, path = '', message }) => ({
    at: name ?? path,
    message,
  }));
  const related = details.some(({ at, message }) =>
    at === '' ? message.split(/\W+/).includes(field) : within(at, field) || within(field, at),
  );
  return related ? [] : [`no detail names ${field}; named are: ${details.map(({ at }) => at).join(', ') || 'none'}`];
}

function within(inner: string, outer: string): boolean {
  return inner === outer || (outer !== '' && (inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`)));
}
