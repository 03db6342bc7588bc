/**
 * Collects a plain JSON body, not compressed, which nearly every call sends. body-parser does the same with a dozen listeners,
 * a tenth of what a send costs; it still reads everything else.
 */
import type { IncomingMessage } from 'node:http';

/** Whether a body can be read here. */
export function isPlain({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding'];
  return encoding === undefined || encoding === 'identity';
}

export type PlainBody =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'broken'; readonly reason: string };

/** Collects the body up to a limit; `done` is called once. What lies beyond the limit is read and dropped. */
export function collectBody(request: IncomingMessage, limitBytes: number, done: (body: PlainBody) => void): void {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limitBytes) {
    request.resume();
    done({ kind: 'too-large' });
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  let ended = false;
  // To stop listening would cost more than to be told once more: a request lasts no longer than its call.
  const end = (body: PlainBody): void => {
    if (ended) return;
    ended = true;
    done(body);
  };
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size <= limitBytes) chunks.push(chunk);
    else end({ kind: 'too-large' });
  };
  const onEnd = (): void => {
    end({ kind: 'read', bytes: chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks) });
  };
  const onBroken = (): void => end({ kind: 'broken', reason: 'the connection ended before the body did' });
  request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
}
