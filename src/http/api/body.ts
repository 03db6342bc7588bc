/**
 * Reads a JSON body: at most 1 MB, UTF-8, `application/json` (contract §2: 413, 415, 400).
 */
import { isUtf8 } from 'node:buffer';
import express from 'express';
import { deepestBody, isShallow } from '../../domain/depth.js';
import { ServiceError } from '../../domain/errors.js';
import type { Call, Step } from './request-context.js';
import { collectBody, isPlain, type PlainBody } from './plain-json.js';
import type { BodyNeed } from './route-table.js';

export const bodyLimitBytes = 1024 * 1024;

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

/** @param parameter of a Content-Type, in lower case; `utf8` is common, though no registered name */
function requireUtf8(parameter: string): void {
  const [, charset = 'utf-8'] = /^\s*charset\s*=\s*"?([^"]*?)"?\s*$/.exec(parameter) ?? [];
  if (charset === 'utf-8' || charset === 'utf8') return;
  const message = `The body came with charset "${charset}" in its Content-Type; JSON is read as UTF-8 only, so send it as that.`;
  throw new ServiceError('unsupported_media_type', message);
}

/**
 * What a page of another origin can send without being asked for permission first, an empty form included, always names a
 * type of its own: whoever changes something names JSON or nothing (contract §9).
 * @throws ServiceError
 */
export function refuseForms(request: Call): void {
  if (request.headers['content-type'] !== undefined) requireJsonType(request);
}

export function hasBody({ headers }: Call): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** One of body-parser's readers, made with the first body that needs it, with its errors in our words. */
function reader(make: () => Step, limitBytes: number, taken: (request: Call) => Error | undefined): Step {
  let read: Step | undefined;
  return (request, response, next) => {
    read ??= make();
    read(request, response, (error?: unknown) =>
      next(error === undefined ? taken(request) : bodyError(error, limitBytes)),
    );
  };
}

type KeepBytes = (request: Call, bytes: Buffer) => void;

/** What is compressed, may be larger than usual, or is kept as it came. */
function bytesReader(limitBytes: number, deepest: number, keep: KeepBytes = () => undefined): Step {
  return reader(
    () => express.raw({ limit: limitBytes, type: () => true }) as Step,
    limitBytes,
    (request) => {
      const bytes = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
      keep(request, bytes);
      return takeBytes(request, bytes, deepest);
    },
  );
}

/** JSON of the usual size, with its bytes for who wants them too. */
export function readJsonKeeping(keep: KeepBytes): Step {
  return bytesReader(bodyLimitBytes, deepestBody, keep);
}

const readCompressed = bytesReader(bodyLimitBytes, deepestBody);

/** The body as it is, whatever its type; at most 1 MB. */
export const readText = reader(
  () => express.text({ limit: bodyLimitBytes, type: () => true }) as Step,
  bodyLimitBytes,
  () => undefined,
);

/** JSON of another size than the usual; it may hold whole bodies of the usual depth, some levels down. */
export function jsonReader(limitBytes: number): Step {
  return bytesReader(limitBytes, 2 * deepestBody);
}

export const readJson: Step = (request, response, next) => {
  if (isPlain(request)) collectBody(request, bodyLimitBytes, (body) => next(takeBody(request, body)));
  else readCompressed(request, response, next);
};

function takeBody(request: Call, body: PlainBody): Error | undefined {
  if (body.kind === 'too-large') return tooLarge(bodyLimitBytes);
  if (body.kind === 'broken') {
    return new ServiceError('validation_error', `The request body could not be read: ${body.reason}.`);
  }
  return takeBytes(request, body.bytes, deepestBody);
}

/** Puts a body where the validator looks for it; returns why it cannot. */
function takeBytes(request: Call, bytes: Buffer, deepest: number): Error | undefined {
  request.body = undefined;
  const text = withoutMark(bytes.toString('utf8'));
  if (text === '') return undefined;
  if (!isUtf8(bytes))
    return new UnreadableBody('The request body is no valid UTF-8; send JSON in that encoding.', text);
  try {
    const value = JSON.parse(text) as unknown;
    // A text shorter than that cannot be deep.
    const refused = text.length > 2 * deepest ? tooDeep(value, deepest) : undefined;
    if (!refused) request.body = value;
    return refused;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return new UnreadableBody(`The request body is no valid JSON: ${reason}.`, text);
  }
}

/** Some editors put a byte order mark before the JSON; it says nothing. */
function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function tooDeep(value: unknown, deepest: number): ServiceError | undefined {
  if (isShallow(value, deepest)) return undefined;
  const message = `The request body is nested too deeply; allowed are ${deepest} levels of arrays and objects.`;
  return new ServiceError('validation_error', message);
}

function tooLarge(limitBytes: number, cause?: unknown): ServiceError {
  const message = `The request body is larger than ${limitBytes / 1024 ** 2} MB (${limitBytes} bytes).`;
  return new ServiceError('payload_too_large', message, { cause });
}

/** A body that is no object has no fields to judge: said here, before the validator looks for them. */
export const requireObject: Step = (request, _response, next) => {
  const { body } = request;
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    next();
    return;
  }
  const found =
    body === undefined ? 'no body' : body === null ? 'null' : Array.isArray(body) ? 'an array' : `a ${typeof body}`;
  next(new ServiceError('validation_error', `The request body must be a JSON object; found ${found}.`));
};

/** What body-parser throws, in our words. */
function bodyError(error: unknown, limitBytes: number): unknown {
  const { type, message, status, ...found } = error as BodyParserError;
  const extra = { cause: error };
  switch (type) {
    case 'entity.too.large':
      return tooLarge(limitBytes, error);
    case 'charset.unsupported': {
      const words = `The body came with charset "${found.charset ?? ''}" in its Content-Type, which is not supported; send UTF-8.`;
      return new ServiceError('unsupported_media_type', words, extra);
    }
    case 'encoding.unsupported': {
      const words = `The body came with Content-Encoding "${found.encoding ?? ''}"; allowed are gzip, deflate, br and identity, or none at all.`;
      return new ServiceError('unsupported_media_type', words, extra);
    }
    default:
      return status !== undefined && status < 500
        ? new ServiceError('validation_error', `The request body could not be read: ${message}.`, extra)
        : error;
  }
}

interface BodyParserError {
  readonly type?: string;
  readonly message: string;
  readonly status?: number;
  readonly charset?: string;
  readonly encoding?: string;
}

/** The text that could not be read stays with the error, for the journal. */
export class UnreadableBody extends ServiceError {
  readonly text: string;
  constructor(message: string, text: string) {
    super('validation_error', message);
    this.text = text;
  }
}
