/**
 * Reads the body of a control call: JSON of at most 1 MB. A snapshot may be larger, a scenario may be YAML, and a sink
 * accepts anything.
 */
import { ServiceError } from '../../domain/errors.js';
import { maxSnapshotBytes } from '../../domain/limits.js';
import {
  bodyLimitBytes,
  checkJsonBody,
  hasBody,
  jsonReader,
  mediaTypeOf,
  receive,
  requireJsonType,
} from '../api/body.js';
import type { Call, Middleware } from '../api/request-context.js';
import type { OperationRoute } from '../api/route-table.js';
import type { TransferBudget } from '../transfer-budget.js';

/** Levels of lists and objects in a snapshot. */
const deepestSnapshot = 100;

export interface BodyReaders {
  readonly json: Middleware;
  readonly snapshot: Middleware;
  /** A body of any type, as a text. */
  readonly text: Middleware;
}

/** @param transfers counts the transfers in progress */
export function bodyReaders(transfers: TransferBudget): BodyReaders {
  return {
    json: jsonReader(transfers),
    snapshot: jsonReader(transfers, maxSnapshotBytes, deepestSnapshot),
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
