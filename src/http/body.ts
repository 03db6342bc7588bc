/** Reads bodies with Express: at most 1 MB unless an operation allows more, in UTF-8, and as JSON of limited depth. */
import { isUtf8 } from 'node:buffer';
import express, { type RequestHandler } from 'express';
import { deepestBody, hasTooManyValues, isDeeper } from '../domain/json.js';
import { ServiceError } from '../domain/errors.js';
import type { Call } from './operations.js';
import type { BodyNeed } from './operation.js';

export const bodyLimitBytes = 1024 ** 2;

/** The limit counts bytes after decompression. `take` throws a `ServiceError` if it cannot use them. */
function bodyReader(limitBytes: number, take: (request: Call, bytes: Buffer) => void): RequestHandler {
  const read = express.raw({ limit: limitBytes, type: () => true });
  return (request, response, next) => {
    read(request, response, (error?: unknown) => {
      let failure = error instanceof Error ? inOurWords(error, limitBytes) : error;
      try {
        if (failure === undefined && Buffer.isBuffer(request.body)) take(request, request.body);
      } catch (thrown) {
        failure = thrown;
      }
      next(failure);
    });
  };
}

export function jsonBody(limitBytes = bodyLimitBytes): RequestHandler {
  return bodyReader(limitBytes, (request, bytes) => {
    // Checked before it is parsed: the parser would take seconds and gigabytes for a large one. Each level takes a byte.
    if (bytes.length > deepestBody && isDeeper(bytes, deepestBody))
      throw invalid(
        `The request body is nested too deeply; at most ${deepestBody} levels of arrays and objects are allowed.`,
      );
    if (bytes.length > bodyLimitBytes && hasTooManyValues(bytes))
      throw new ServiceError('payload_too_large', 'The request body has more than 4000000 values.');
    if (!isUtf8(bytes)) throw invalid('The request body is not valid UTF-8; send JSON in that encoding.');
    const text = textOf(bytes);
    if (bytes.length <= bodyLimitBytes) request.text = text;
    try {
      request.body = text === '' ? {} : (JSON.parse(text) as unknown);
    } catch (error) {
      throw invalid(`The request body is not valid JSON: ${(error as SyntaxError).message}.`);
    }
  });
}

export function textBody(limitBytes = bodyLimitBytes): RequestHandler {
  return bodyReader(limitBytes, (request, bytes) => (request.body = textOf(bytes)));
}

/** Some editors put a byte order mark before a text. */
function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

interface ReadError extends Error {
  readonly type?: string;
  readonly status?: number;
  readonly encoding?: string;
}

function inOurWords(error: ReadError, limitBytes: number): Error {
  switch (error.type) {
    case 'entity.too.large':
      return new ServiceError(
        'payload_too_large',
        `The request body is larger than ${limitBytes / 1024 ** 2} MB (${limitBytes} bytes).`,
      );
    case 'encoding.unsupported':
      return mediaType(
        `Content-Encoding "${error.encoding ?? ''}"; allowed: gzip, deflate, br, identity, or no Content-Encoding.`,
      );
    default:
      return error.status === 400 ? invalid(`The request body could not be read: ${error.message}.`) : error;
  }
}

export function checkJsonBody(request: Call, need: BodyNeed): void {
  if (hasBody(request)) requireJsonType(request);
  else if (need === 'required') throw invalid('The request body must be a JSON object; found no body.');
}

/** The media type of a body, in lower case and without parameters; empty if the call names none. */
export function mediaTypeOf({ headers }: Call): string {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** @throws ServiceError if the type is missing or not JSON, or the character set is not UTF-8 */
export function requireJsonType(request: Call, accepted = 'application/json'): void {
  const written = request.headers['content-type'];
  if (written === 'application/json') return;
  if (mediaTypeOf(request) !== 'application/json') {
    const found = written === undefined ? 'no Content-Type' : `Content-Type "${written}"`;
    throw mediaType(`${found}; send it as ${accepted}.`);
  }
  for (const parameter of written?.toLowerCase().split(';').slice(1) ?? []) {
    const [, charset = 'utf-8'] = /^\s*charset\s*=\s*"?([^"]*?)"?\s*$/.exec(parameter) ?? [];
    // `utf8` is common, though it is not a registered name.
    if (charset === 'utf8') request.headers['content-type'] = 'application/json';
    else if (charset !== 'utf-8')
      throw mediaType(`charset "${charset}" in its Content-Type; JSON is read only as UTF-8, so send it in UTF-8.`);
  }
}

export function hasBody({ headers }: Call): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const readJson = jsonBody();

export const readObject: RequestHandler = (request: Call, response, next) => {
  if (!hasBody(request) || request.headers['content-type'] !== 'application/json') checkJsonBody(request, 'required');
  void readJson(request, response, (error?: unknown) => {
    const body: unknown = request.text === '' ? undefined : request.body;
    if (error !== undefined || (typeof body === 'object' && body !== null && !Array.isArray(body))) {
      next(error);
      return;
    }
    const found =
      body === undefined ? 'no body' : Array.isArray(body) ? 'an array' : body === null ? 'null' : `a ${typeof body}`;
    next(invalid(`The request body must be a JSON object; found ${found}.`));
  });
};

export function invalid(message: string): ServiceError {
  return new ServiceError('validation_error', message);
}

function mediaType(found: string): ServiceError {
  return new ServiceError('unsupported_media_type', `The body came with ${found}`);
}
