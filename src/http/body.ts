/**
 * Reads a JSON body: at most 1 MB, UTF-8, `application/json` (contract §2: 413, 415, 400).
 */
import express from 'express';
import { deepestBody, isShallow } from '../domain/depth.js';
import { ServiceError } from '../domain/errors.js';
import type { Call, Step } from './exchange.js';
import { collectBody, isPlainJson, type PlainBody } from './plain-json.js';
import type { BodyNeed } from './route-table.js';

export const bodyLimitBytes = 1024 * 1024;

/** @throws ServiceError when the body is missing though the operation needs one, or is of another media type */
export function checkJsonBody(request: Call, need: BodyNeed): void {
  if (hasBody(request)) requireJsonType(request);
  else if (need === 'required')
    throw new ServiceError('validation_error', 'The request body must be a JSON object; found no body.');
}

/** @throws ServiceError when the call names another type than JSON, or none. */
function requireJsonType({ headers }: Call): void {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'application/json') return;
  const found = headers['content-type'] === undefined ? 'no Content-Type' : `Content-Type "${headers['content-type']}"`;
  throw new ServiceError('unsupported_media_type', `The body came with ${found}; send it as application/json.`);
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
function reader(make: () => ReturnType<typeof express.json>, deepest = deepestBody): Step {
  let read: ReturnType<typeof make> | undefined;
  return (request, response, next) => {
    read ??= make();
    read(request, response, (error?: unknown) => {
      next(error === undefined ? tooDeep(request.body, deepest) : bodyError(error));
    });
  };
}

const parse = reader(() => express.json({ limit: bodyLimitBytes, strict: false, type: () => true }));

/** The body as it is, whatever its type; at most 1 MB. */
export const readText = reader(() => express.text({ limit: bodyLimitBytes, type: () => true }));

/** JSON of another size than the usual; it may hold whole bodies of the usual depth, some levels down. */
export function jsonReader(limitBytes: number): Step {
  return reader(() => express.json({ limit: limitBytes, strict: false }), 2 * deepestBody);
}

export const readJson: Step = (request, response, next) => {
  if (isPlainJson(request)) {
    collectBody(request, bodyLimitBytes, (body) => next(takeBody(request, body)));
    return;
  }
  parse(request, response, next);
};

/** Puts a collected body where the validator looks for it; returns why it cannot. */
function takeBody(request: Call, body: PlainBody): Error | undefined {
  if (body.kind === 'too-large') return tooLarge();
  if (body.kind === 'broken') {
    return new ServiceError('validation_error', `The request body could not be read: ${body.reason}.`);
  }
  if (body.text === '') return undefined;
  try {
    const value = JSON.parse(body.text) as unknown;
    // A text shorter than that cannot be deep.
    const refused = body.text.length > 2 * deepestBody ? tooDeep(value, deepestBody) : undefined;
    if (!refused) request.body = value;
    return refused;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return new UnreadableBody(`The request body is no valid JSON: ${reason}.`, body.text);
  }
}

function tooDeep(value: unknown, deepest: number): ServiceError | undefined {
  if (isShallow(value, deepest)) return undefined;
  const message = `The request body is nested too deeply; allowed are ${deepest} levels of arrays and objects.`;
  return new ServiceError('validation_error', message);
}

function tooLarge(cause?: unknown): ServiceError {
  return new ServiceError('payload_too_large', 'The request body is larger than 1 MB (1048576 bytes).', { cause });
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

/** What body-parser throws, in our words. The text that could not be read stays with the error, for the journal. */
function bodyError(error: unknown): unknown {
  const { type, message, body, status } = error as { type?: string; message: string; body?: string; status?: number };
  const extra = { cause: error };
  switch (type) {
    case 'entity.too.large':
      return tooLarge(error);
    case 'entity.parse.failed':
      return new UnreadableBody(`The request body is no valid JSON: ${message}.`, body ?? '');
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new ServiceError(
        'unsupported_media_type',
        `The body's encoding is not supported (${message}); send UTF-8.`,
        extra,
      );
    default:
      return status !== undefined && status < 500
        ? new ServiceError('validation_error', `The request body could not be read: ${message}.`, extra)
        : error;
  }
}

export class UnreadableBody extends ServiceError {
  readonly text: string;
  constructor(message: string, text: string) {
    super('validation_error', message);
    this.text = text;
  }
}
