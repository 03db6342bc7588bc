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
  mediaTypeOf,
  receive,
  requireJsonType,
  unreadable,
} from '../api/body.js';
import type { Call, Middleware } from '../api/request-context.js';
import type { OperationRoute } from '../api/route-table.js';
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
      if (parsedBytes > most) {
        const megabytes = Math.round(most / 1024 ** 2);
        const message = `contains too many values: parsed, it would take more than ${megabytes} MB`;
        throw new UnreadableJson('size', message);
      }
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
      .catch((error: unknown) => {
        next(error instanceof UnreadableJson ? unreadable(error.why, error.message, deepestSnapshot) : error);
      });
  });
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

const readYaml = new Set(['activateScenario', 'checkScenario', 'addRule']);
const yamlTypes = new Set(['application/yaml', 'text/yaml']);
/** The media type that clients use if they were written before the type was registered (RFC 9512). */
const olderTypes = new Set(['application/x-yaml', 'text/x-yaml', 'text/vnd.yaml']);

export function readerOf({ operationId, method, body }: OperationRoute, readers: BodyReaders): Middleware {
  if (operationId === 'receiveAtSink' || operationId === 'putExplorationReport') return readers.text;
  const readsYaml = readYaml.has(operationId);
  const read = operationId === 'putSnapshot' ? readers.snapshot : readers.json;
  return (request, response, next) => {
    const { headers } = request;
    const type = mediaTypeOf(request);
    if (readsYaml && olderTypes.has(type)) headers['content-type'] = 'application/yaml';
    if (readsYaml && (yamlTypes.has(type) || olderTypes.has(type))) {
      readers.text(request, response, next);
      return;
    }
    // A form that a page of another origin sends without a preflight always has its own type, even if it is empty.
    const isTyped = method !== 'GET' && headers['content-type'] !== undefined;
    if (isTyped || (body !== 'none' && hasBody(request)))
      requireJsonType(request, readsYaml ? 'application/json or application/yaml' : undefined);
    if (body === 'none') next();
    else {
      checkJsonBody(request, body);
      read(request, response, next);
    }
  };
}
