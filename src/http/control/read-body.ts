/**
 * Reads the body of a control call: JSON of at most 1 MB. A snapshot may be larger, a scenario may be YAML, and a sink
 * accepts anything.
 */
import type { ServerResponse } from 'node:http';
import { ServiceError } from '../../domain/errors.js';
import { deepestSnapshot, readJson, UnreadableJson } from '../../store/snapshots/json-reader.js';
import {
  bodyLimitBytes,
  checkJsonBody,
  hasBody,
  jsonReader,
  notJson,
  notUtf8,
  receive,
  rejectForms,
  tooDeep,
  tooLarge,
  tooManyValues,
} from '../api/body.js';
import type { Call, Middleware } from '../api/request-context.js';
import type { BodyNeed, OperationRoute } from '../api/route-table.js';
import type { TransferBudget } from '../transfer-budget.js';
import type { ControlService } from './handler.js';

/** A snapshot may be larger than other bodies. */
export const snapshotLimitBytes = 256 * 1024 ** 2;

/** A call whose body takes much memory. */
export interface UploadCall extends Call {
  /** Must be called when the call is over. */
  release?: () => void;
}

export interface BodyReaders {
  readonly json: Middleware;
  readonly snapshot: Middleware;
  /** A body of any type, as a text. */
  readonly text: Middleware;
}

type Service = Pick<ControlService, 'accounts' | 'host' | 'largeSnapshots'>;

/** Runs work that has all values of a snapshot in memory. */
export function readingSnapshot<T>({ largeSnapshots }: Service, bytes: number, work: () => Promise<T>): Promise<T> {
  return bytes > bodyLimitBytes ? largeSnapshots.run(work) : work();
}

/** @param transfers counts the transfers in progress */
export function bodyReaders(transfers: TransferBudget, service: Service): BodyReaders {
  return {
    json: jsonReader(transfers),
    snapshot: (request: UploadCall, response, next) => {
      receive(request, response, transfers, snapshotLimitBytes, (error, bytes) => {
        if (error || bytes.length === 0) next(error ?? undefined);
        else void readingSnapshot(service, bytes.length, () => readUpload(service, request, response, bytes, next));
      });
    },
    text: (request, response, next) => {
      if (!hasBody(request)) {
        if (request.headers['content-length'] !== undefined) request.body = '';
        next();
        return;
      }
      const charset = charsetOf(request);
      receive(request, response, transfers, bodyLimitBytes, (error, bytes) => {
        if (error === null) request.body = charset.decode(bytes);
        next(error ?? undefined);
      });
    },
  };
}

/**
 * Resolves when the call is over: until then, its values take memory, which others cannot use.
 * @param bytes of the whole body
 */
function readUpload(
  { accounts, host }: Service,
  request: UploadCall,
  response: ServerResponse,
  bytes: Buffer,
  next: (error?: unknown) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const reserved = accounts.reserve();
    request.release = () => {
      reserved.release();
      resolve();
    };
    const hold = (parsedBytes: number): void => {
      const most = reserved.budget.limit / 2;
      if (parsedBytes > most) throw new UnreadableJson('size', tooManyValues(most));
      reserved.set(parsedBytes);
    };
    readJson([bytes], host, { hold })
      .then((body) => {
        if (response.destroyed) request.release?.();
        else {
          request.body = body;
          next();
        }
      })
      .catch((error: unknown) => next(error instanceof UnreadableJson ? rejected(error) : error));
  });
}

function rejected(error: UnreadableJson): ServiceError {
  switch (error.why) {
    case 'depth':
      return tooDeep(deepestSnapshot);
    case 'size':
      return tooLarge(error.message);
    case 'encoding':
      return notUtf8();
    case 'syntax':
      return notJson(error);
  }
}

/** @throws ServiceError if Node has no decoder for the character set */
function charsetOf({ headers }: Call) {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^";]*?)"?\s*(?:;|$)/i.exec(headers['content-type'] ?? '') ?? [];
  try {
    return new TextDecoder(charset);
  } catch (cause) {
    const words = `The body came with charset "${charset}" in its Content-Type, which is not supported; send UTF-8.`;
    throw new ServiceError('unsupported_media_type', words, { cause });
  }
}

const readsYaml = new Set(['activateScenario', 'checkScenario', 'addRule']);

export function readerOf({ operationId, method, body }: OperationRoute, readers: BodyReaders): Middleware {
  if (operationId === 'receiveAtSink') return readers.text;
  if (readsYaml.has(operationId)) return yamlOrJson(body, readers);
  const read = operationId === 'putSnapshot' ? readers.snapshot : readers.json;
  return (request, response, next) => {
    if (method !== 'GET') rejectForms(request);
    if (body !== 'none') checkJsonBody(request, body);
    // Without a body, the validator has no media type to check.
    if (body !== 'none' && hasBody(request)) read(request, response, next);
    else next();
  };
}

const yamlTypes = new Set(['application/yaml', 'text/yaml']);
/** The media type that clients use if they were written before the type was registered (RFC 9512). */
const olderTypes = new Set(['application/x-yaml', 'text/x-yaml', 'text/vnd.yaml']);

function yamlOrJson(need: BodyNeed, { json, text }: BodyReaders): Middleware {
  return (request, response, next) => {
    const { headers } = request;
    const written = headers['content-type'];
    const type = written?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (olderTypes.has(type)) headers['content-type'] = 'application/yaml';
    if (yamlTypes.has(type) || olderTypes.has(type)) {
      text(request, response, next);
      return;
    }
    if (type !== 'application/json' && (written !== undefined || hasBody(request))) {
      const found = written === undefined ? 'no Content-Type' : `Content-Type "${written}"`;
      const words = `The body came with ${found}; send it as application/json or application/yaml.`;
      throw new ServiceError('unsupported_media_type', words);
    }
    checkJsonBody(request, need);
    json(request, response, next);
  };
}
