import { Ajv2020 } from 'ajv/dist/2020.js';
import { middleware } from 'express-openapi-validator';
import express from 'express';
import type { ErrorRequestHandler } from 'express';
import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { isObject, objectsOf, operationsOf, readApiDocument } from './support/openapi-document.js';
import type { Found } from './support/openapi-document.js';

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
        expect(JSON.stringify(responses.get(status)), `${id} ${status}`).toContain('#/components/schemas/Error');
      }
    }
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
  const ajv = new Ajv2020({ strict: false, allErrors: true });
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
  function app(): express.Express {
    const server = express();
    server.use(express.json());
    server.use(
      middleware({
        apiSpec: readApiDocument() as never,
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
      .set({ 'x-answer': submitted, 'x-status': '201' })
      .send({ name: 'a', category: 'authentication', language: 'en' });
    expect(without.status, without.text).toBe(201);
  });

  it.each([
    ['a leaked secret', 'get', '/v1/webhooks', { webhooks: [{ secret: 'whsec_x' }] }, 200],
    ['a state that the look-up does not know', 'post', '/v1/otp/verify', { valid: false }, 200],
    ['an error without message', 'get', '/v1/templates', { error: { code: 'not_found' } }, 404],
  ] as const)('catches %s in an answer', async (_what, method, path, answer, status) => {
    const call = request(app())
      [method](path)
      .set({ 'x-answer': JSON.stringify(answer), 'x-status': String(status) });
    const got = await (method === 'post' ? call.send({ otp_id: 'x', code: '1' }) : call);
    expect(got.status).toBe(500);
    expect(got.text).toContain('/response');
  });

  it('lets an error pass nested and flat, under a status that is not listed too', async () => {
    for (const answer of [
      { error: { code: 'teapot', message: 'short and stout' } },
      { code: 'teapot', message: 'stout' },
    ]) {
      const got = await request(app())
        .get('/v1/templates')
        .set({ 'x-answer': JSON.stringify(answer), 'x-status': '418' });
      expect([got.status, got.body]).toEqual([418, answer]);
    }
  });
});
