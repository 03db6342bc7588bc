/**
 * The checks of responses. Those of the default dialect are compiled when the package is built; another dialect has
 * other schemas, each compiled with the first response.
 */
import { createRequire } from 'node:module';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { defaultDialect, type Dialect } from '../../dialect/index.js';
import type { OpenApiDocument } from '../operations.js';
import type { CompiledOperation, CompiledOperations } from './request-validator.js';

type Checks = CompiledOperation['responses'];

export function responseChecks(
  compiled: CompiledOperations,
  documents: { readonly api: OpenApiDocument },
  dialect: Dialect,
): CompiledOperations {
  if (JSON.stringify(dialect) === JSON.stringify(defaultDialect)) return compiled;
  let ajv: Ajv2020 | null = null;
  const compile = (pointer: string) => {
    ajv ??= ajvOf(documents.api);
    return ajv.getSchema(`api#${pointer}`);
  };
  const responses = new Map(
    Object.entries(documents.api.paths).flatMap(([path, item]) =>
      Object.entries(item as Readonly<Record<string, OperationObject>>).map(([method, operation]) => [
        operation.operationId,
        checksOf(operation, `/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${method}/responses`, compile),
      ]),
    ),
  );
  return Object.fromEntries(
    Object.entries(compiled).map(([id, operation]) => [id, { ...operation, responses: responses.get(id) ?? {} }]),
  );
}

interface OperationObject {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

/** Only successes are checked, and they are described in place. */
function checksOf({ responses }: OperationObject, pointer: string, compile: (pointer: string) => unknown): Checks {
  const checks: Record<string, Checks[string]> = {};
  for (const [status, { content }] of Object.entries(responses)) {
    if (content?.['application/json'] === undefined) continue;
    const place = `${pointer}/${status}/content/application~1json/schema`;
    let check: unknown;
    Object.defineProperty(checks, status, { enumerable: true, get: () => (check ??= compile(place)) });
  }
  return checks;
}

function ajvOf(document: OpenApiDocument): Ajv2020 {
  const { Ajv2020: Ajv } = createRequire(import.meta.url)('ajv/dist/2020.js') as { Ajv2020: typeof Ajv2020 };
  const ajv = new Ajv({ strict: false, validateSchema: false, validateFormats: false, messages: false });
  ajv.addSchema(document, 'api');
  return ajv;
}
