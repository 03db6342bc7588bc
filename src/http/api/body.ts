/** Reads bodies: at most 1 MB unless an operation takes more, in UTF-8, and as JSON of bounded depth and size. */
import { isUtf8 } from 'node:buffer';
import express from 'express';
import { deepestBody } from '../../domain/depth.js';
import { ServiceError } from '../../domain/errors.js';
import { exceededLimit, maxParsedBytes } from './json-size.js';
import type { Call, Middleware } from './request-context.js';
import type { BodyNeed } from './route-table.js';

export const bodyLimitBytes = 1024 ** 2;

/** @throws ServiceError when the body is missing though the operation needs one, or is of another media type */
export function checkJsonBody(request: Call, need: BodyNeed): void {
  if (hasBody(request)) requireJsonType(request);
  else if (need === 'required')
    throw new ServiceError('validation_error', 'The request body must be a JSON object; found no body.');
}

/** @throws ServiceError when the call names another type than JSON, or none, or another character set than UTF-8. */
function requireJsonType({ headers }: Call): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  if (type.trim() === 'application/json') {
    parameters.forEach(requireUtf8);
    return;
  }
  const found = headers['content-type'] === undefined ? 'no Content-Type' : `Content-Type "${headers['content-type']}"`;
  throw new ServiceError('unsupported_media_type', `The body came with ${found}; send it as application/json.`);
}

/** @param parameter of a Content-Type, in lower case; `utf8` is common, though it is not a registered name */
function requireUtf8(parameter: string): void {
  const [, charset = 'utf-8'] = /^\s*charset\s*=\s*"?([^"]*?)"?\s*$/.exec(parameter) ?? [];
  if (charset === 'utf-8' || charset === 'utf8') return;
  const message = `The body came with charset "${charset}" in its Content-Type; JSON is read as UTF-8 only, so send it as that.`;
  throw new ServiceError('unsupported_media_type', message);
}

/**
 * Rejects what a page of another origin can send without asking for permission first, an empty form included: it always
 * names a media type of its own. A call that changes state sends JSON or names no type.
 * @throws ServiceError
 */
export function refuseForms(request: Call): void {
  if (request.headers['content-type'] !== undefined) requireJsonType(request);
}

export function hasBody({ headers }: Call): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

type Take = (request: Call) => Error | undefined;

/**
 * Reads with one of body-parser's readers, made with the first body; its errors get our words. A body that is too large is
 * rejected while it arrives, because body-parser would first wait for its end.
 */
function reader(make: () => Middleware, limitBytes: number, take: Take = () => undefined): Middleware {
  let read: Middleware | undefined;
  return (request, response, next) => {
    let finished = false;
    const finish = (error: unknown): void => {
      if (finished) return;
      finished = true;
      next(error);
    };
    let receivedBytes = 0;
    request.on('data', (chunk: Buffer) => {
      receivedBytes += chunk.length;
      if (receivedBytes > limitBytes) finish(largerThan(limitBytes));
    });
    read ??= make();
    read(request, response, (error?: unknown) => {
      if (!finished) finish(error === undefined ? take(request) : bodyError(error, limitBytes));
    });
    if (Number(request.headers['content-length']) > limitBytes) finish(largerThan(limitBytes));
  };
}

/** Reads JSON, by its bytes because body-parser does not know the charset `utf8`. Its text stays with the call. */
function jsonReader(limitBytes: number, depth: number): Middleware {
  const make = () => express.raw({ limit: limitBytes, type: () => true }) as Middleware;
  return reader(make, limitBytes, (request) => {
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    request.body = undefined;
    // Some editors put a byte order mark before the JSON.
    const text = () => bytes.toString('utf8').replace(/^\uFEFF/, '');
    switch (exceededLimit(bytes, { depth, parsedBytes: maxParsedBytes })) {
      case 'depth':
        if (bytes.length <= bodyLimitBytes) request.text = text();
        return invalid(`The request body is nested too deeply; allowed are ${depth} levels of arrays and objects.`);
      case 'size':
        return tooLarge(`holds too many values: parsed, it would take more than ${maxParsedBytes / 1024 ** 2} MB`);
      case null:
    }
    request.text = text();
    if (request.text === '') return undefined;
    if (!isUtf8(bytes)) return invalid('The request body is no valid UTF-8; send JSON in that encoding.');
    try {
      request.body = JSON.parse(request.text);
      return undefined;
    } catch (error) {
      return invalid(`The request body is no valid JSON: ${error instanceof Error ? error.message : String(error)}.`);
    }
  });
}

export const readJson = jsonReader(bodyLimitBytes, deepestBody);

/** Of a snapshot, which holds whole bodies of the usual depth, some levels down. */
export const snapshotLimitBytes = 256 * 1024 ** 2;
export const readSnapshotJson = jsonReader(snapshotLimitBytes, 2 * deepestBody);

/** Reads a body of any type as a text. */
export const readText = reader(
  () => express.text({ limit: bodyLimitBytes, type: () => true }) as Middleware,
  bodyLimitBytes,
);

/** Rejects a body that is not an object before the validator looks for its fields. */
export const requireObject: Middleware = (request, _response, next) => {
  const { body } = request;
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    next();
    return;
  }
  const found =
    body === undefined ? 'no body' : body === null ? 'null' : Array.isArray(body) ? 'an array' : `a ${typeof body}`;
  next(invalid(`The request body must be a JSON object; found ${found}.`));
};

function invalid(message: string, cause?: unknown): ServiceError {
  return new ServiceError('validation_error', message, { cause });
}

function tooLarge(what: string, cause?: unknown): ServiceError {
  return new ServiceError('payload_too_large', `The request body ${what}.`, { cause });
}

function largerThan(limitBytes: number, cause?: unknown): ServiceError {
  return tooLarge(`is larger than ${limitBytes / 1024 ** 2} MB (${limitBytes} bytes)`, cause);
}

/** As body-parser throws it. */
interface BodyParserError {
  readonly type?: string;
  readonly message: string;
  readonly status?: number;
  readonly charset?: string;
  readonly encoding?: string;
}

function bodyError(error: unknown, limitBytes: number): unknown {
  const { type, message, status, charset = '', encoding = '' } = error as BodyParserError;
  switch (type) {
    case 'entity.too.large':
      return largerThan(limitBytes, error);
    case 'charset.unsupported': {
      const words = `The body came with charset "${charset}" in its Content-Type, which is not supported; send UTF-8.`;
      return new ServiceError('unsupported_media_type', words, { cause: error });
    }
    case 'encoding.unsupported': {
      const words = `The body came with Content-Encoding "${encoding}"; allowed are gzip, deflate, br and identity, or none at all.`;
      return new ServiceError('unsupported_media_type', words, { cause: error });
    }
    default:
      return status !== undefined && status < 500
        ? invalid(`The request body could not be read: ${message}.`, error)
        : error;
  }
}
