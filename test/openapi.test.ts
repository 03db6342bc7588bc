import { Ajv2020 } from 'ajv/dist/2020.js';
import { middleware } from 'express-openapi-validator';
import express from 'express';
import type { ErrorRequestHandler } from 'express';
import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { defaultDialect, dialectDocument } from '../src/dialect/index.js';
import { errorTable } from '../src/domain/errors.js';
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

  it('describes the four events', () => {
    expect(Object.keys(document.webhooks as object).sort()).toEqual([
      'message.received',
      'message.status',
      'otp.verified',
      'template.status',
    ]);
  });

  it('lets every operation fail under any status with the error envelope', () => {
    for (const { id, responses } of operationsOf(document)) {
      for (const status of ['401', '500', 'default']) {
        expect(JSON.stringify(responses.get(status)), `${id} ${status}`).toContain(
          '#/components/schemas/ErrorResponse',
        );
      }
    }
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

  it('shows one success per operation, and nothing of the validator', () => {
    for (const { id, responses } of operationsOf(document))
      expect(
        [...responses.keys()].filter((status) => status.startsWith('2')),
        id,
      ).toHaveLength(1);
    const internal = everything.flatMap(({ object }) => Object.keys(object).filter((key) => /^x-/.test(key)));
    expect([...new Set(internal)].sort()).toEqual([
      'x-assumed',
      'x-assumed-reason',
      'x-error-codes',
      'x-extensible-enum',
      'x-setting',
    ]);
  });

  it('lists every code that the API can answer with', () => {
    const codes = objectAt(schemas, 'ErrorBody', 'properties', 'code')['x-extensible-enum'];
    const table = Object.entries(errorTable).filter(([, { plane }]) => plane !== 'control');
    expect(codes).toEqual(table.map(([code]) => code));
  });

  it('links an id to the operations that take it', () => {
    const links = everything
      .filter(({ pointer }) => /\/links\/\w+$/.test(pointer))
      .map(({ object }) => object.operationId);
    expect([...new Set(links)].sort()).toEqual(['deleteWebhook', 'getMessage', 'getTemplate', 'verifyOtp']);
  });

  it('gives each webhook an operationId and a tag, and one union of all events', () => {
    const hooks = Object.entries(objectAt(document, 'webhooks')).map(([, item]) => objectAt(item, 'post'));
    expect(hooks.map(({ operationId, tags }) => [operationId, tags])).toEqual([
      ['onMessageReceived', ['events']],
      ['onMessageStatus', ['events']],
      ['onOtpVerified', ['events']],
      ['onTemplateStatus', ['events']],
    ]);
    const { mapping } = objectAt(schemas, 'WebhookEvent', 'discriminator');
    expect(Object.keys(objectAt(mapping)).sort()).toEqual(Object.keys(objectAt(document, 'webhooks')).sort());
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

describe('in the validator', () => {
  const failed: ErrorRequestHandler = (
    error: { status?: number; errors?: unknown; message: string },
    _req,
    res,
    _next,
  ) => {
    res.status(error.status ?? 500).end(JSON.stringify({ errors: error.errors, message: error.message }));
  };

  /** An app of the validator alone: it answers what the request asks for in `x-answer`, or an accepted message. */
  function app(spec: object = readApiDocument()): express.Express {
    const server = express();
    server.use(express.json());
    server.use(
      middleware({
        apiSpec: spec as never,
        validateApiSpec: true,
        validateRequests: { allErrors: true, allowUnknownQueryParameters: true, coerceTypes: false },
        validateResponses: true,
        validateSecurity: false,
      }),
    );
    server.use((req, res) => {
      res.status(Number(req.get('x-status') ?? 200)).json(JSON.parse(req.get('x-answer') ?? 'null'));
    });
    server.use(failed);
    return server;
  }

  const accepted = JSON.stringify({ message_id: '0b54b6ff-9d7d-4ba1-8a5f-6d2f3c7e1a90', status: 'accepted' });
  const to = '+12025550101';

  it('is a valid document and accepts each kind of message with its own fields only', async () => {
    const server = app();
    const bodies: [string, object][] = [
      ['text', { text: 'hi' }],
      ['image', { media_url: 'https://cdn.example.com/a.jpg' }],
      ['document', { media_url: 'http://cdn.example.com/a.pdf' }],
      ['interactive', { interactive: { body: 'q', buttons: [{ id: 'a', title: 'A' }] } }],
      ['template', { template: { name: 'a', language: 'en' } }],
    ];
    for (const [type, fields] of bodies) {
      const whole = await request(server)
        .post('/v1/messages')
        .set('x-answer', accepted)
        .send({ to, type, ...fields });
      expect(whole.status, whole.text).toBe(200);
      const field = Object.keys(fields)[0];
      const without = await request(server).post('/v1/messages').send({ to, type });
      expect(without.status).toBe(400);
      expect(without.text).toContain(`required property '${field}'`);
    }
  });

  it('tells a missing body of a template as just that', async () => {
    const server = app();
    const wanting = await request(server)
      .post('/v1/templates')
      .send({ name: 'a', category: 'utility', language: 'en' });
    expect(wanting.status).toBe(400);
    expect(wanting.text).toContain(`required property 'body'`);
    const submitted = JSON.stringify({ template_id: '0b54b6ff-9d7d-4ba1-8a5f-6d2f3c7e1a90', status: 'pending_review' });
    const without = await request(server)
      .post('/v1/templates')
      .set({ 'x-answer': submitted, 'x-status': '200' })
      .send({ name: 'a', category: 'authentication', language: 'en' });
    expect(without.status, without.text).toBe(200);
  });

  it.each([
    ['a leaked secret', 'get', '/v1/webhooks', { webhooks: [{ secret: 'whsec_x' }] }, 200],
    ['a result without its verdict', 'post', '/v1/otp/verify', { attempts_remaining: 4 }, 200],
    ['an error without message', 'get', '/v1/templates', { error: { code: 'not_found' } }, 404],
  ] as const)('catches %s in an answer', async (_what, method, path, answer, status) => {
    const call = request(app())
      [method](path)
      .set({ 'x-answer': JSON.stringify(answer), 'x-status': String(status) });
    const got = await (method === 'post'
      ? call.send({ otp_id: '9b2f7c1e-3d4a-4e5f-8a6b-7c8d9e0f1a2b', code: '1' })
      : call);
    expect(got.status).toBe(500);
    expect(got.text).toContain('/response');
  });

  it('lets an error pass in the envelope of the dialect, under a status that is not listed too', async () => {
    const nested = { error: { code: 'teapot', message: 'short and stout' } };
    const flat = { code: 'teapot', message: 'stout' };
    const flatDialect = { ...defaultDialect, errors: { envelope: 'flat', status: {} } } as const;
    for (const [spec, good, bad] of [
      [readApiDocument(), nested, flat],
      [dialectDocument(readApiDocument(), flatDialect), flat, nested],
    ] as const) {
      const server = app(spec);
      const answered = (answer: object) =>
        request(server)
          .get('/v1/templates')
          .set({ 'x-answer': JSON.stringify(answer), 'x-status': '418' });
      const got = await answered(good);
      expect([got.status, got.body]).toEqual([418, good]);
      expect((await answered(bad)).status).toBe(500);
    }
  });
});
