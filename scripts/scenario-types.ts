/** Generates the TypeScript types of the scenario language from its JSON Schema. */
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { isObject } from '../src/domain/json.js';
import { scenarioJsonSchema } from '../src/language/scenario.js';

type Schema = Readonly<Record<string, unknown>>;

/** The keywords that determine keys and values. Lengths, patterns and conditions between keys have no type. */
const TYPED = new Set(['type', 'description', 'properties', 'required', 'items', 'enum', 'additionalProperties']);

export async function scenarioTypes(): Promise<string> {
  const { definitions, ...scenario } = scenarioJsonSchema() as { definitions: Record<string, Schema> };
  const schemas = Object.entries({ ...definitions, Scenario: scenario }).map(([name, schema]) => [name, typed(schema)]);
  const document = {
    openapi: '3.1.0',
    info: { title: 'scenario', version: '1' },
    paths: {},
    components: { schemas: Object.fromEntries(schemas) as object },
  };
  const text = astToString(await openapiTS(document as OpenAPI3));
  const [, declared = ''] = /^ {4}schemas: \{\n(.*?)^ {4}\};$/ms.exec(text) ?? [];
  return (
    declared
      // An alias may refer to itself, as a matcher does; a property may not.
      .replace(/^ {8}(\w+): /gm, 'export type $1 = ')
      .replace(/components\["schemas"\]\["(\w+)"\]/g, '$1')
      .replace(/^ *\* @enum .*\n/gm, '')
      .replace(/^ {8}/gm, '')
  );
}

/** Returns the parts of a schema that a type can express. */
function typed(schema: Schema): Schema {
  const { $ref, allOf, anyOf, oneOf, properties, items, additionalProperties, const: only } = schema;
  if (typeof $ref === 'string') return { $ref: $ref.replace('#/definitions/', '#/components/schemas/') };
  const described = schema['description'] === undefined ? {} : { description: schema['description'] };
  const [base] = list(allOf).filter((one) => '$ref' in one);
  if (base) return { ...described, allOf: [typed(base)] };
  const choices = [...list(anyOf), ...list(oneOf)].filter(saysType);
  if (choices.length > 0) return { ...described, anyOf: choices.map(typed) };
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([key]) => TYPED.has(key))),
    ...(only !== undefined && { enum: [only] }),
    ...(isObject(properties) && { properties: each(properties) }),
    ...(isObject(items) && { items: typed(items) }),
    ...(isObject(additionalProperties) && { additionalProperties: typed(additionalProperties) }),
  };
}

/** `anyOf` also expresses which keys belong together; those members have no separate type. */
function saysType(schema: Schema): boolean {
  return ['type', '$ref', 'enum', 'const', 'anyOf', 'oneOf', 'allOf'].some((key) => key in schema);
}

function each(properties: Schema): Schema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, isObject(schema) ? typed(schema) : schema]),
  );
}

function list(value: unknown): Schema[] {
  return Array.isArray(value) ? (value as Schema[]) : [];
}
