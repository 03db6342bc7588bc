/**
 * Makes one document of both that decides about requests, for express-openapi-validator: paths, parameters, bodies and
 * the schemas that they use, in the form in which the validator finds every error of a value (maintainers/decisions.md).
 */
import { described } from './describe-schema.js';
import { operationsOf, resolve, type OpenApi, type Schema } from './openapi.js';

type Json = Record<string, unknown>;

/** The validator turns values of some formats into objects such as Date; the patterns check the same. */
const unused = new Set(['description', 'title', 'example', 'examples', 'format']);

export function requestsDocument(api: OpenApi, control: OpenApi): object {
  const paths = { ...pathsOf(api), ...pathsOf(control) };
  return { openapi: '3.1.0', info: { title: 'Requests', version: '1' }, paths, components: {} };
}

function pathsOf(document: OpenApi): Json {
  const named = (document.components['schemas'] ?? {}) as Readonly<Record<string, Schema>>;
  const paths: Record<string, Json> = {};
  const whole = ({ $ref, ...own }: Schema): Schema =>
    $ref === undefined ? own : { ...whole(named[$ref.split('/').at(-1) ?? ''] ?? {}), ...own };
  const adapt = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(adapt);
    if (typeof value !== 'object' || value === null) return value;
    const schema = withConditions(byType(whole(value), whole), whole);
    const kept = Object.entries(schema).filter(
      ([name]) => !unused.has(name) && !/^x-(?!allowed|hint|words)/.test(name),
    );
    const adapted = Object.fromEntries(
      kept.map(([name, inner]) => {
        if (name === 'properties') return [name, mapped(inner as Json, adapt)];
        return [name, name.startsWith('x-') ? inner : adapt(inner)];
      }),
    );
    return { ...adapted, ...described(adapted) };
  };
  for (const { method, path, operation, shared } of operationsOf(document)) {
    if (!/^\/(?:v1|_sandbox)\//.test(path)) continue;
    const { operationId, requestBody } = operation;
    const parameters = [...shared, ...(operation.parameters ?? [])].map((entry) => {
      const { name, in: place, required, schema } = resolve(document, entry);
      // A plus sign or a slash in a query need not be percent-encoded.
      return { name, in: place, required, schema: adapt(schema), ...(place === 'query' && { allowReserved: true }) };
    });
    const slim = {
      operationId,
      parameters,
      ...(requestBody && {
        requestBody: {
          required: requestBody.required,
          content: mapped(requestBody.content ?? {}, (media) => ({
            schema: adapt((media as { schema?: Schema }).schema),
          })),
        },
      }),
      responses: { default: { description: 'Any.' } },
      ...(path.startsWith('/v1/') && { 'x-eov-allow-unknown-query-parameters': true }),
    };
    // A HEAD call is validated as a GET.
    const methods = method === 'GET' ? ['get', 'head'] : [method.toLowerCase()];
    for (const each of methods) (paths[path] ??= {})[each] = slim;
  }
  return paths;
}

function mapped(object: Json, change: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

type Choice = Schema & { readonly discriminator?: { readonly propertyName: string; readonly mapping?: Json } };

/**
 * Replaces a choice between a text and an array by one schema with the keywords of both, each of which applies only to
 * its own type. The meaning is the same, but an error then refers to the variant that has the type of the value, and
 * not to the choice.
 */
function byType(schema: Choice, whole: (schema: Schema) => Schema): Choice {
  const { oneOf, discriminator, ...beside } = schema;
  if (!oneOf || discriminator) return schema;
  const variants = oneOf.map(whole);
  const types = variants.map(({ type }) => type);
  if (types.some((type) => type !== 'string' && type !== 'array') || new Set(types).size < types.length) return schema;
  return { ...(Object.assign({}, ...variants) as Schema), ...beside, type: types as string[] };
}

/**
 * Replaces a choice by a discriminator by conditions. The meaning is the same, but with a discriminator the validator
 * stops at the first error in the selected variant; with conditions it finds all of them. If no variant is selected, it
 * checks the properties that all variants have.
 */
function withConditions(schema: Choice, whole: (schema: Schema) => Schema): object {
  const { oneOf: _variants, discriminator, ...beside } = schema;
  const { propertyName = '', mapping } = discriminator ?? {};
  if (!mapping) return schema;
  const named = (type: object) => ({ required: [propertyName], properties: { [propertyName]: type } });
  const known = { enum: Object.keys(mapping) };
  const variants = Object.values(mapping).map((ref) => whole({ $ref: String(ref) }));
  return {
    ...beside,
    type: 'object',
    ...named(known),
    allOf: [
      ...Object.entries(mapping).map(([name, $ref]) => ({ if: named({ const: name }), then: { $ref } })),
      { if: named(known), else: common(variants, propertyName) },
    ],
  };
}

/**
 * The properties that every variant requires, except the discriminator, which must be present and have one of their
 * values.
 */
function common(variants: readonly Schema[], propertyName: string): Schema {
  const required = (variants[0]?.required ?? []).filter(
    (name) => name !== propertyName && variants.every((variant) => variant.required?.includes(name)),
  );
  const properties = required.map((name) => [
    name,
    { anyOf: variants.map((variant) => variant.properties?.[name] ?? {}) },
  ]);
  return { required, properties: Object.fromEntries(properties) as Record<string, Schema> };
}
