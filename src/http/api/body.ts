/** Reads bodies: at most 1 MB unless an operation allows more, in UTF-8, and as JSON of limited depth. */
import { isUtf8 } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import { deepestBody, isDeeper } from '../../domain/depth.js';
import { ServiceError } from '../../domain/errors.js';
import { smallBodyBytes, type TransferBudget, type Upload } from '../transfer-budget.js';
import type { Call, Middleware } from './request-context.js';
import type { BodyNeed } from './route-table.js';

export const bodyLimitBytes = 1024 ** 2;

/** @throws ServiceError if a required body is missing, or has another media type */
export function checkJsonBody(request: Call, need: BodyNeed): void {
  if (hasBody(request)) requireJsonType(request);
  else if (need === 'required')
    throw new ServiceError('validation_error', 'The request body must be a JSON object; found no body.');
}

/** The media type of a body, in lower case and without parameters; empty if the call names none. */
export function mediaTypeOf({ headers }: Call): string {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/**
 * @param accepted the media types to name in the error
 * @throws ServiceError if the call names a media type other than JSON, or none, or a character set other than UTF-8
 */
export function requireJsonType(request: Call, accepted = 'application/json'): void {
  const written = request.headers['content-type'];
  if (written === 'application/json') return;
  if (mediaTypeOf(request) === 'application/json') {
    written?.toLowerCase().split(';').slice(1).forEach(requireUtf8);
    return;
  }
  const found = written === undefined ? 'no Content-Type' : `Content-Type "${written}"`;
  throw new ServiceError('unsupported_media_type', `The body came with ${found}; send it as ${accepted}.`);
}

/** @param parameter of a Content-Type, in lower case; `utf8` is common, though it is not a registered name */
function requireUtf8(parameter: string): void {
  const [, charset = 'utf-8'] = /^\s*charset\s*=\s*"?([^"]*?)"?\s*$/.exec(parameter) ?? [];
  if (charset === 'utf-8' || charset === 'utf8') return;
  const message = `The body came with charset "${charset}" in its Content-Type; JSON is read only as UTF-8, so send it in UTF-8.`;
  throw new ServiceError('unsupported_media_type', message);
}

export function hasBody({ headers }: Call): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Reads JSON, and keeps its text with the call. */
export function jsonReader(transfers: TransferBudget, limitBytes = bodyLimitBytes, deepest = deepestBody): Middleware {
  return (request, response, next) => {
    if (!hasBody(request)) next();
    else
      receive(request, response, transfers, limitBytes, (error, bytes) => {
        next(error ?? parse(request, bytes, deepest) ?? undefined);
      });
  };
}

function parse(request: Call, bytes: Buffer, deepest: number): ServiceError | null {
  // Some editors put a byte order mark before the JSON.
  request.text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (isDeeper(bytes, deepest)) return unreadable('depth', '', deepest);
  if (request.text === '') return null;
  if (!isUtf8(bytes)) return unreadable('encoding', '');
  try {
    request.body = JSON.parse(request.text);
    return null;
  } catch (error) {
    return unreadable('syntax', error instanceof Error ? error.message : String(error));
  }
}

/**
 * The error of a body that cannot be read.
 * @param message of the parser
 */
export function unreadable(why: 'depth' | 'encoding' | 'syntax', message: string, deepest = deepestBody): ServiceError {
  switch (why) {
    case 'depth':
      return invalid(
        `The request body is nested too deeply; at most ${deepest} levels of arrays and objects are allowed.`,
      );
    case 'encoding':
      return invalid('The request body is not valid UTF-8; send JSON in that encoding.');
    case 'syntax':
      return invalid(`The request body is not valid JSON: ${message}.`);
  }
}

type Received = (error: ServiceError | null, bytes: Buffer) => void;

const nothing = Buffer.alloc(0);

/**
 * Collects a body, and inflates it if it is compressed. If it exceeds its limit or the memory for uploads is used up, it is
 * rejected while it arrives; the rest is read and discarded, so that the client can see the response.
 */
export function receive(
  request: Call,
  response: ServerResponse,
  transfers: TransferBudget,
  limitBytes: number,
  done: Received,
): void {
  let upload: Upload | null = null;
  let bytes: Buffer = nothing;
  let length = 0;
  let ended = false;
  const finish = (error: ServiceError | null): void => {
    if (ended) return;
    ended = true;
    const body = error === null ? bytes.subarray(0, length) : nothing;
    bytes = nothing;
    // The memory of a large body is reserved until its call has finished.
    if (error === null && length > bodyLimitBytes) response.once('close', () => upload?.end());
    else upload?.end();
    done(error, body);
  };
  const take = (chunk: Buffer): void => {
    if (ended) return;
    const total = length + chunk.length;
    if (total > limitBytes) {
      finish(largerThan(limitBytes));
      return;
    }
    if (total > bytes.length) {
      const size = Math.min(limitBytes, Math.max(total, 2 * bytes.length));
      const error = size > smallBodyBytes ? (upload ??= transfers.upload(limitBytes)).hold(size) : null;
      if (error) {
        finish(error);
        return;
      }
      // Nearly every body arrives in one chunk, which needs no copy.
      const grown = length === 0 ? chunk : Buffer.allocUnsafe(size);
      bytes.copy(grown, 0, 0, length);
      bytes = grown;
    }
    if (bytes !== chunk) chunk.copy(bytes, length);
    length = total;
  };
  request.once('close', () => {
    if (!request.complete) finish(invalid('The request body could not be read: request aborted.'));
  });
  if (Number(request.headers['content-length']) > limitBytes) {
    finish(largerThan(limitBytes));
    return;
  }
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity') {
    request.on('data', take);
    request.once('end', () => finish(null));
    return;
  }
  const found = Object.hasOwn(inflaters, encoding) ? inflaters[encoding as keyof typeof inflaters] : undefined;
  if (!found) {
    const words = `The body came with Content-Encoding "${encoding}"; allowed: gzip, deflate, br, identity, or no Content-Encoding.`;
    finish(new ServiceError('unsupported_media_type', words));
    return;
  }
  // Few bodies are compressed, so the decompressor is not loaded at the start.
  void import('node:zlib').then((zlib) => {
    const inflater = zlib[found]();
    inflater.on('data', (chunk: Buffer) => {
      take(chunk);
      if (!ended) return;
      request.unpipe(inflater).resume();
      inflater.destroy();
    });
    inflater.once('end', () => finish(null));
    inflater.once('error', (error) => {
      request.unpipe(inflater).resume();
      finish(invalid(`The request body could not be read: ${error.message}.`));
    });
    request.pipe(inflater);
  });
}

const inflaters = { gzip: 'createGunzip', deflate: 'createInflate', br: 'createBrotliDecompress' } as const;

/** Rejects a body that is not an object before the validator looks for its fields. */
export const requireObject: Middleware = (request, _response, next) => {
  const { body } = request;
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    next();
    return;
  }
  const found =
    body === undefined ? 'no body' : Array.isArray(body) ? 'an array' : body === null ? body : `a ${typeof body}`;
  next(invalid(`The request body must be a JSON object; found ${found}.`));
};

function invalid(message: string): ServiceError {
  return new ServiceError('validation_error', message);
}

function tooLarge(what: string): ServiceError {
  return new ServiceError('payload_too_large', `The request body ${what}.`);
}

function largerThan(limitBytes: number): ServiceError {
  return tooLarge(`is larger than ${limitBytes / 1024 ** 2} MB (${limitBytes} bytes)`);
}
