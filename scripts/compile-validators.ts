/**
 * Compiles the schemas of an OpenAPI document to plain functions, so that neither a start nor a request has to
 * (maintainers/decisions.md): for each operation, its parameters, its body and its responses.
 */
import { Ajv2020, type Options } from 'ajv/dist/2020.js';
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
  const named = { ...document.components['schemas'], ...other?.components['schemas'] } as Record<string, Schema>;
  const others = new Map(
    (other ? operationsOf(other) : []).map(({ operation }) => [operation.operationId, operation.responses]),
  );
  // Values in an address are text, which is converted to numbers.
  const parameters = new Part('parameters', { ...settings, coerceTypes: true }, named);
  const bodies = new Part('bodies', settings, named);
  const lines = operationsOf(document).map(({ path, operation, shared }) => {
    const own = [...shared, ...(operation.parameters ?? [])].map((entry) => resolve(document, entry));
    const inQuery = own.filter((entry) => entry.in === 'query');
    const media = Object.entries(operation.requestBody?.content ?? {});
    const responses = other ? { ...others.get(operation.operationId), ...operation.responses } : {};
    const checks = Object.entries(responses).flatMap(([status, entry]) => {
      const schema = resolve(document, entry).content?.['application/json']?.schema;
      return schema ? [`${JSON.stringify(status)}: ${bodies.add(schema)}`] : [];
    });
    // The API plane ignores unknown properties with a warning: express-openapi-validator accepts them, these checks do not.
    const isKnown = path.startsWith('/v1/') ? 'closed' : 'open';
    const checked = media.map(([type, { schema = {} }]) => `${JSON.stringify(type)}: ${bodies.add(schema, isKnown)}`);
    return `${operation.operationId}: {
      query: ${inQuery.length === 0 ? null : parameters.add({ ...objectOf(inQuery), additionalProperties: false })},
      params: ${parameters.add(objectOf(own.filter((entry) => entry.in === 'path')))},
      bodies: { ${checked.join(', ')} },
      responses: { ${checks.join(', ')} },
    }`;
  });
  return bundled(
    `const parameters = (() => { const exports = {}; ${parameters.code()}; return exports; })();
     const bodies = (() => { const exports = {}; ${bodies.code()}; return exports; })();
     export const operations = { ${lines.join(',\n')} };`.replaceAll('"use strict";', ''),
  );
}

/** Whether an object may have properties that its schema does not name. */
type Form = 'open' | 'closed';

/** The schemas that one validator compiles, with their names in its code. */
class Part {
  readonly #ajv: Ajv2020;
  readonly #names = new Map<string, string>();

  /** @param named the schemas that others refer to */
  constructor(
    private readonly prefix: string,
    options: Options,
    named: Readonly<Record<string, Schema>>,
  ) {
    this.#ajv = new Ajv2020({ ...options, code: { source: true } });
    for (const form of ['open', 'closed'] as const) {
      const entries = Object.entries(named).map(([name, schema]) => [name, localised(schema, form)]);
      this.#ajv.addSchema({ $id: form, schemas: Object.fromEntries(entries) as object });
    }
  }

  /** Returns the name of a schema's check; identical schemas share one. */
  add(schema: Schema, form: Form = 'open'): string {
    const text = JSON.stringify(localised(schema, form));
    const known = this.#names.get(text);
    const name = known ?? `check${this.#names.size}`;
    if (known === undefined) {
      this.#names.set(text, name);
      this.#ajv.addSchema(JSON.parse(text) as Schema, name);
    }
    return `${this.prefix}.${name}`;
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

/** Returns a schema without words. References point to the named schemas of its form; variants are identified by a constant. */
function localised(schema: Schema, form: Form): object {
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within);
    return typeof value === 'object' && value !== null ? localised(value, form) : value;
  };
  const entries = Object.entries(schema as Readonly<Record<string, unknown>>).flatMap(([name, value]) => {
    if (/^(?:description|title|examples?|x-.*)$/.test(name)) return [];
    if (name === '$ref') return [[name, String(value).replace('#/components', form + '#')]];
    if (name === 'discriminator') return [[name, { propertyName: (value as { propertyName: string }).propertyName }]];
    if (name !== 'properties') return [[name, within(value)]];
    const inner = Object.entries(value as object).map(([property, each]) => [property, within(each)]);
    return [[name, Object.fromEntries(inner)]];
  });
  const closing = form === 'closed' && schema.properties ? { additionalProperties: false } : {};
  return { ...closing, ...(Object.fromEntries(entries) as object) };
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
