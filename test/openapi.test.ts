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

describe('schemas', () => {
  const schemas = objectAt(document, 'components', 'schemas');

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
});
