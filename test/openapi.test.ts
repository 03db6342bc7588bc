import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { isObject, objectAt, objectsOf, operationsOf, readApiDocument } from './support/openapi-document.js';
import type { Found, Json } from './support/openapi-document.js';

const document = readApiDocument();
const everything = [...objectsOf(document)];

describe('operations', () => {
  it('has exactly the ten of the interface document', () => {
    const ids = operationsOf(document).map((operation) => operation.id);
    expect(ids.sort()).toEqual([
      'createTemplate',
      'createWebhook',
      'deleteWebhook',
      'getMessage',
      'getTemplate',
      'listTemplates',
      'listWebhooks',
      'sendMessage',
      'sendOtp',
      'verifyOtp',
    ]);
  });
});

describe('for generators', () => {
  const schemas = objectAt(document, 'components', 'schemas');
  const inSchemas = [...objectsOf(schemas)];

  it('describes every schema and every property', () => {
    const bare = Object.entries(schemas).flatMap(([name, schema]) => {
      const { description, properties = {} } = objectAt(schema) as { description?: string; properties?: Json };
      const unnamed = Object.entries(properties)
        .filter(([, property]) => !isObject(property) || !('description' in property || '$ref' in property))
        .map(([property]) => `${name}.${property}`);
      return [...(description === undefined ? [name] : []), ...unnamed];
    });
    expect(bare).toEqual([]);
  });

  it('names every object, and no constant or mixture of types', () => {
    const inner = inSchemas.filter(({ pointer, object }) => pointer.split('/').length > 2 && 'properties' in object);
    // The condition of CreateTemplateRequest is no value of its own.
    expect(inner.map(({ pointer }) => pointer.replace(/\/(?:if|then)$/, ''))).toEqual([
      '/CreateTemplateRequest',
      '/CreateTemplateRequest',
    ]);
    expect(inSchemas.filter(({ object }) => 'const' in object)).toEqual([]);
    const mixed = inSchemas.filter(({ object }) => Array.isArray(object.type) && !object.type.includes('null'));
    expect(mixed).toEqual([]);
  });

  it('asks no key of a delivery, and names the type of its id', () => {
    const callback = objectAt(document, 'paths', '/v1/webhooks', 'post', 'callbacks', 'event', '{$request.body#/url}');
    const deliveries = [...Object.values(objectAt(document, 'webhooks')), callback];
    expect(deliveries.map((path) => objectAt(path, 'post').security)).toEqual([[], [], [], [], []]);
    const id = objectAt(document, 'components', 'parameters', 'X-Service-Delivery', 'schema');
    expect(id).toEqual({ $ref: '#/components/schemas/Uuid' });
  });

  it('shows one success per operation, and no marks but these', () => {
    for (const { id, responses } of operationsOf(document))
      expect(
        [...responses.keys()].filter((status) => status.startsWith('2')),
        id,
      ).toHaveLength(1);
    const internal = everything.flatMap(({ object }) => Object.keys(object).filter((key) => /^x-/.test(key)));
    expect([...new Set(internal)].sort()).toEqual([
      'x-allowed',
      'x-assumed',
      'x-assumed-reason',
      'x-error-codes',
      'x-extensible-enum',
      'x-hint',
      'x-setting',
    ]);
  });
});

describe('marks of what is assumed', () => {
  const marked = everything.filter(({ object }) => 'x-assumed' in object);

  it('gives a reason each', () => {
    expect(marked.length).toBeGreaterThan(40);
    for (const { pointer, object } of marked) {
      expect(object['x-assumed'], pointer).toBe(true);
      expect(object['x-assumed-reason'], pointer).toMatch(/^.{20,}\.$/s);
    }
  });

  it('has no reason or setting without the mark', () => {
    const loose = everything.filter(
      ({ object }) => !('x-assumed' in object) && ('x-assumed-reason' in object || 'x-setting' in object),
    );
    expect(loose.map((found) => found.pointer)).toEqual([]);
  });
});

describe('examples', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema(document, 'api');

  /** The examples of a media type, header or parameter (beside `schema`), or of a schema (a list in `examples`). */
  function examplesOf({ pointer, object }: Found): { where: string; schema: string; value: unknown }[] {
    const schema = 'schema' in object ? `${pointer}/schema` : pointer;
    const single = 'example' in object ? [{ where: `${pointer}/example`, schema, value: object.example }] : [];
    if (Array.isArray(object.examples)) {
      return (object.examples as unknown[]).map((value, index) => ({
        where: `${pointer}/examples/${index}`,
        schema,
        value,
      }));
    }
    if (!isObject(object.examples)) return single;
    return Object.entries(object.examples).map(([name, example]) => ({
      where: `${pointer}/examples/${name}`,
      schema,
      value: isObject(example) ? example.value : undefined,
    }));
  }

  const examples = everything.flatMap(examplesOf);

  it('are many', () => expect(examples.length).toBeGreaterThan(80));

  it.each(examples)('$where is valid', ({ schema, value }) => {
    const validate = ajv.compile({ $ref: `api#${encodeURI(schema)}` });
    expect(validate(value) ? [] : validate.errors).toEqual([]);
  });

  it('exist for every request body and every success with a body', () => {
    const bare = everything.filter(({ pointer, object }) => pointer.endsWith('/application~1json') && !object.examples);
    expect(bare.map((found) => found.pointer)).toEqual(['/components/responses/OtherError/content/application~1json']);
  });
});
