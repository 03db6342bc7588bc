/**
 * Reads the body of a control call: JSON of at most 1 MB. A snapshot may be larger, a scenario may be YAML, and a sink
 * accepts anything.
 */
import { deepestBody } from '../../domain/depth.js';
import { ServiceError } from '../../domain/errors.js';
import { bodyLimitBytes, checkJsonBody, hasBody, jsonReader, receive, rejectForms } from '../api/body.js';
import type { Call, Middleware } from '../api/request-context.js';
import type { BodyNeed, OperationRoute } from '../api/route-table.js';
import type { TransferBudget } from '../transfer-budget.js';

/** A snapshot may be larger than other bodies. */
export const snapshotLimitBytes = 256 * 1024 ** 2;

export interface BodyReaders {
  readonly json: Middleware;
  /** The depth of a snapshot, which contains whole bodies of the usual depth, some levels down. */
  readonly snapshot: Middleware;
  /** A body of any type, as a text. */
  readonly text: Middleware;
}

/** @param transfers counts the transfers in progress */
export function bodyReaders(transfers: TransferBudget): BodyReaders {
  return {
    json: jsonReader(transfers),
    snapshot: jsonReader(transfers, snapshotLimitBytes, 2 * deepestBody),
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
