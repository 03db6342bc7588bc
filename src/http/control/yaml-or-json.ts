/**
 * Bodies that somebody wrote by hand: YAML, or JSON whose text is kept beside what it says, so that problems are told in the
 * author's own lines (contract §5: a whole scenario as JSON or YAML body).
 */
import { ServiceError } from '../../domain/errors.js';
import { checkJsonBody, hasBody, readJsonKeeping, readText } from '../api/body.js';
import type { Call, Step } from '../api/request-context.js';
import type { BodyNeed } from '../api/route-table.js';

const yamlTypes = new Set(['application/yaml', 'text/yaml']);
/** What clients call it that were written before the type was registered (RFC 9512). */
const olderTypes = new Set(['application/x-yaml', 'text/x-yaml', 'text/vnd.yaml']);

const texts = new WeakMap<Call, string>();

const readJson = readJsonKeeping((request, bytes) => {
  texts.set(request, bytes.toString('utf8').replace(/^\uFEFF/, ''));
});

/** A JSON body as it was written; undefined when its text was not kept. */
export function writtenText(request: Call): string | undefined {
  return texts.get(request);
}

export function yamlOrJson(need: BodyNeed): Step {
  return (request, response, next) => {
    const { headers } = request;
    const written = headers['content-type'];
    const type = written?.split(';', 1)[0]?.trim().toLowerCase();
    if (type !== undefined && olderTypes.has(type)) headers['content-type'] = 'application/yaml';
    if (type !== undefined && (yamlTypes.has(type) || olderTypes.has(type))) {
      readText(request, response, next);
      return;
    }
    if (type !== 'application/json' && (written !== undefined || hasBody(request))) throw otherType(written);
    checkJsonBody(request, need);
    readJson(request, response, next);
  };
}

function otherType(written: string | undefined): ServiceError {
  const found = written === undefined ? 'no Content-Type' : `Content-Type "${written}"`;
  return new ServiceError(
    'unsupported_media_type',
    `The body came with ${found}; send it as application/json or application/yaml.`,
  );
}
