/** Reads the body of a control call: JSON of at most 1 MB, unless its operation says otherwise. */
import type { RequestHandler } from 'express';
import { maxSnapshotBytes } from '../../domain/limits.js';
import { checkJsonBody, hasBody, invalid, jsonBody, mediaTypeOf, requireJsonType, textBody } from '../body.js';
import type { Call } from '../call.js';
import type { Operation } from '../operations.js';
import type { ControlOperation } from './handler.js';

/** Levels of lists and objects in a snapshot. */
const deepestSnapshot = 100;

const readText = textBody();
const readJson = jsonBody();
const readSnapshot = jsonBody(maxSnapshotBytes, deepestSnapshot);

const yamlTypes = new Set(['application/yaml', 'text/yaml']);
/** The media type that clients use if they were written before the type was registered (RFC 9512). */
const olderTypes = new Set(['application/x-yaml', 'text/x-yaml', 'text/vnd.yaml']);

export function bodyReader(operation: Operation, { body }: Pick<ControlOperation, 'body'>): RequestHandler {
  const { method, body: need } = operation;
  if (body === 'text') {
    return (request: Call, response, next) => {
      request.operation = operation;
      if (need === 'required' && !hasBody(request)) throw invalid('The request has no body.');
      void readText(request, response, next);
    };
  }
  const read = body === 'snapshot' ? readSnapshot : readJson;
  const readsYaml = body === 'yaml';
  return (request: Call, response, next) => {
    request.operation = operation;
    const { headers } = request;
    const type = mediaTypeOf(request);
    if (readsYaml && olderTypes.has(type)) headers['content-type'] = 'application/yaml';
    if (readsYaml && (yamlTypes.has(type) || olderTypes.has(type))) {
      void readText(request, response, next);
      return;
    }
    // A form that a page of another origin sends without a preflight always has its own type, even if it is empty.
    const isTyped = method !== 'GET' && headers['content-type'] !== undefined;
    if (isTyped || (need !== 'none' && hasBody(request)))
      requireJsonType(request, readsYaml ? 'application/json or application/yaml' : undefined);
    if (need !== 'none') checkJsonBody(request, need);
    if (need !== 'none' && hasBody(request)) void read(request, response, next);
    else next();
  };
}
