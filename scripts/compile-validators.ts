/**
 * Compiles the schemas of an OpenAPI document to plain functions, so that neither a start nor a request has to
 * (docs/decisions.md): for each operation, its parameters, its body and its responses.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import { operationsOf, resolve, type OpenApi, type Parameter, type Schema } from './openapi.js';

/** The settings of express-openapi-validator, except that it stops at the first error. */
const settings = {
  strict: false,
  strictNumbers: true,
  useDefaults: true,
  validateSchema: false,
  // The patterns next to the formats are equivalent and more exact.
  validateFormats: false,
  discriminator: true,
  messages: false,
};

/**
 * Returns the text of a module that exports `operations`; its type is `CompiledOperations` in src/http/validation/request-validator.ts.
 * @param other the same document in another dialect, whose responses are also accepted; null: responses are not checked
 */
export async function compileValidators(document: OpenApi, other: OpenApi | null): Promise<string> {
  const schemas = { ...document.components['schemas'], ...other?.components['schemas'] };
  const components = { $id: 'document', ...(localised({ ...document.components, schemas }) as object) };
  const others = new Map(
    (other ? operationsOf(other) : []).map(({ operation }) => [operation.operationId, operation.responses]),
  );
  // Values in an address are text, which is converted to numbers.
  const parameters = new Part(new Ajv2020({ ...settings, coerceTypes: true, code: { source: true } }), components);
  const bodies = new Part(new Ajv2020({ ...settings, code: { source: true } }), components);
  const lines = operationsOf(document).map(({ path, operation, shared }) => {
    const own = [...shared, ...(operation.parameters ?? [])].map((entry) => resolve(document, entry));
    const inQuery = own.filter((entry) => entry.in === 'query');
    const media = Object.entries(operation.requestBody?.content ?? {});
    const responses = other ? { ...others.get(operation.operationId), ...operation.responses } : {};
    const checks = Object.entries(responses).flatMap(([status, entry]) => {
      const schema = resolve(document, entry).content?.['application/json']?.schema;
      return schema ? [`${JSON.stringify(status)}: ${bodies.add(schema)}`] : [];
    });
    // The API plane ignores query parameters that it does not know.
    const anyQuery = path.startsWith('/v1/') && inQuery.length === 0;
    return `${operation.operationId}: {
      query: ${anyQuery ? null : parameters.add({ ...objectOf(inQuery), additionalProperties: path.startsWith('/v1/') })},
      params: ${parameters.add(objectOf(own.filter((entry) => entry.in === 'path')))},
      bodies: { ${media.map(([type, { schema = {} }]) => `${JSON.stringify(type)}: ${bodies.add(schema)}`).join(', ')} },
      responses: { ${checks.join(', ')} },
    }`;
  });
  return bundled(
    `const parameters = (() => { const exports = {}; ${parameters.code()}; return exports; })();
     const bodies = (() => { const exports = {}; ${bodies.code()}; return exports; })();
     export const operations = { ${lines.join(',\n')} };`.replaceAll('"use strict";', ''),
  );
}

/** The schemas that one validator compiles, with their names in its code. */
class Part {
  readonly #ajv: Ajv2020;
  readonly #prefix: string;
  readonly #names = new Map<string, string>();

  constructor(ajv: Ajv2020, components: object) {
    this.#ajv = ajv;
    this.#ajv.addSchema(components);
    this.#prefix = ajv.opts.coerceTypes === true ? 'parameters' : 'bodies';
  }

  /** Returns the name of a schema's check; identical schemas share one. */
  add(schema: Schema): string {
    const text = JSON.stringify(localised(schema));
    const known = this.#names.get(text);
    const name = known ?? `check${this.#names.size}`;
    if (known === undefined) {
      this.#names.set(text, name);
      this.#ajv.addSchema(JSON.parse(text) as Schema, name);
    }
    return `${this.#prefix}.${name}`;
  }

  code(): string {
    return standaloneCode.default(this.#ajv, Object.fromEntries([...this.#names.values()].map((name) => [name, name])));
  }
}

function objectOf(parameters: readonly Parameter[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

/** References point into the document, which is added once, and variants are identified by a constant. */
function localised(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(localised);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as Record<string, unknown>).map(([name, inner]) => {
      if (name === '$ref' && typeof inner === 'string') return [name, inner.replace('#/components/', 'document#/')];
      if (name === 'discriminator' && typeof inner === 'object') {
        return [name, { propertyName: (inner as { propertyName: string }).propertyName }];
      }
      return [name, localised(inner)];
    }),
  );
}

/** The parts of the validator's run time that the code needs are added. */
async function bundled(code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: process.cwd(), loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}
