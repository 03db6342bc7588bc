/** The document of another dialect: what it says is what a sandbox with that dialect answers. */
import { beforeAll, describe, expect, it } from 'vitest';
import { dialectDocument } from '../src/dialect/document.js';
import { defaultDialect, dialectOf } from '../src/dialect/index.js';
import { newWorld, type World } from './support/client.js';
import { objectAt, objectsOf, operationsOf, readApiDocument, type Json } from './support/openapi-document.js';
import { useCheckedSandbox } from './support/sandbox.js';

const dialect = dialectOf({
  http: { created: 201 },
  errors: { envelope: 'flat', status: { send_failed: 409, not_found: 410, unauthorized: 403, validation_error: 422 } },
  otp: { lock: 'same_call' },
  webhooks: { extra_headers: false },
});

const codesOf = (document: Json, id: string): Record<string, unknown> => {
  const { responses } = operationsOf(document).find((operation) => operation.id === id)!;
  return Object.fromEntries([...responses].map(([status, response]) => [status, response['x-error-codes'] ?? null]));
};

describe('dialectDocument', () => {
  const document = dialectDocument(readApiDocument(), dialect);

  it('is the document itself for the default dialect, and leaves it as it is for others', () => {
    const original = readApiDocument();
    expect(dialectDocument(original, defaultDialect)).toBe(original);
    dialectDocument(original, dialect);
    expect(original).toEqual(readApiDocument());
  });

  it('puts each code under the status of the dialect, and what shares a status into one response', () => {
    expect(codesOf(document, 'sendMessage')).toMatchObject({
      400: ['template_not_approved', 'template_variables_mismatch', 'undeliverable'],
      403: ['unauthorized', 'forbidden'],
      404: ['template_not_found'],
      409: ['send_failed'],
      422: ['validation_error'],
    });
    expect(codesOf(document, 'verifyOtp')).toMatchObject({ 410: ['not_found', 'otp_expired'] });
    expect(Object.keys(codesOf(document, 'verifyOtp'))).not.toContain('404');
    expect(Object.keys(codesOf(document, 'createTemplate'))).not.toContain('400');
  });

  it('keeps the headers of the codes that share a status', () => {
    const { responses } = operationsOf(document).find(({ id }) => id === 'getMessage')!;
    expect(Object.keys(objectAt(responses.get('403'), 'headers'))).toContain('WWW-Authenticate');
  });

  it('has no other header on deliveries than the signature', () => {
    const headers = [...objectsOf(document)].flatMap(({ pointer, object }) =>
      /^\/webhooks\/[^/]+\/post$|\/callbacks\/.*\/post$/.test(pointer) ? [object.parameters] : [],
    );
    expect(headers).toEqual(Array(5).fill([{ $ref: '#/components/parameters/X-Service-Signature' }]));
  });

  it('refers to what is there', () => {
    for (const [, kind = '', name = ''] of JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g))
      expect(objectAt(document, 'components', kind, name)).toBeTruthy();
  });
});

describe('a sandbox of that dialect', () => {
  let world: World;

  const { sandbox } = useCheckedSandbox({ dialect });
  beforeAll(() => {
    world = newWorld(sandbox, 'shop');
  });

  it('serves the document of its dialect, which names the sandbox itself as server', async () => {
    const served = await world.get<Json>('/_sandbox/openapi/api.json');
    const { servers, ...rest } = served;
    expect(servers).toEqual([{ url: '/', description: 'This sandbox.' }]);
    const { servers: _file, ...own } = dialectDocument(readApiDocument(), dialect);
    expect(rest).toEqual(own);
  });

  it('answers as its document says', async () => {
    const template = { name: 'a', category: 'utility', language: 'en', body: 'A' };
    // The client of a checked sandbox compares each response with the document of its dialect.
    for (const [method, path, body, status] of [
      ['POST', '/v1/templates', template, 201],
      ['POST', '/v1/templates', {}, 422],
      ['POST', '/v1/webhooks', { url: 'https://sink.sandbox/a', events: ['message.status'] }, 201],
      ['POST', '/v1/messages', { to: '+12025550101', type: 'text', text: 'A' }, 409],
      ['GET', '/v1/messages/42', undefined, 410],
    ] as const) {
      expect([path, (await world.call(method, path, body)).status]).toEqual([path, status]);
    }
  });
});
