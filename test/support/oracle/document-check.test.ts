import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { DocumentCheck, type CheckedResponse } from './document-check.js';
import type { OpenApiDocument } from '../../../src/http/api/route-table.js';
import { readApiDocument } from '../openapi-document.js';

const check = new DocumentCheck(
  readApiDocument() as unknown as OpenApiDocument,
  new Ajv2020({ strict: false, allErrors: true, validateFormats: false }),
);
const json = { 'content-type': 'application/json; charset=utf-8' };
const places = (found: readonly { where: string }[]) => found.map(({ where }) => where);
const answered = (status: number, body: unknown, headers: Record<string, string> = json) => ({
  status,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

describe('a response', () => {
  const list = (answer: CheckedResponse) => check.response('/v1/templates', 'GET', answer);

  it('that is as the document says passes', () => {
    expect(list(answered(200, { templates: [] }))).toEqual([]);
    expect(list(answered(418, { error: { code: 'teapot', message: 'Short and stout.' } }))).toEqual([]);
    expect(check.response('/v1/webhooks/{webhook_id}', 'DELETE', answered(204, '', {}))).toEqual([]);
    expect(list({ status: 200, headers: json, body: null })).toEqual([]);
  });

  it.each([
    ['body.templates', answered(200, { templates: 'none' })],
    ['body.templates[0].status', answered(200, { templates: [{ status: 'gone' }] })],
    ['body', answered(200, { templates: [], more: 1 })],
    ['body', answered(200, '{"templates":')],
    ['header content-type', answered(200, { templates: [] }, { 'content-type': 'text/html' })],
    ['header Retry-After', answered(429, { error: { code: 'a', message: 'b' } }, { ...json, 'retry-after': 'soon' })],
    ['body.error', answered(404, { error: {} })],
  ])('is told to be wrong at %s', (where, answer) => {
    expect(places(list(answer))).toContain(where);
  });

  it('with a body where none is described is told', () => {
    expect(places(check.response('/v1/webhooks/{webhook_id}', 'DELETE', answered(204, '{}')))).toEqual(['body']);
  });

  it('of a path that is none has the error envelope', () => {
    expect(check.stray(answered(404, { error: { code: 'not_found', message: 'Nothing here.' } }))).toEqual([]);
    expect(check.stray(answered(404, 'Not Found'))).toHaveLength(1);
    expect(places(check.stray(answered(404, 'Not Found', { 'content-type': 'text/plain' })))).toEqual([
      'header content-type',
    ]);
    expect(check.stray(answered(200, '<html>', { 'content-type': 'text/html' }))).toEqual([]);
  });
});

describe('an event', () => {
  const event = {
    id: 'evt_1',
    type: 'otp.verified',
    created_at: '2026-03-01T09:00:00.000Z',
    data: {
      otp_id: '9b2f7c1e-3d4a-4e5f-8a6b-7c8d9e0f1a2b',
      to: '+12025550101',
      verified_at: '2026-03-01T09:00:00.000Z',
    },
  };
  const headers = { ...json, 'x-service-signature': `sha256=${'0'.repeat(64)}`, 'x-service-attempt': '1' };
  const of = (type: string, given: Record<string, string>, body: unknown) =>
    places(check.event(type, given, Buffer.from(JSON.stringify(body))));

  it('is held against its own type, with its headers', () => {
    expect(of('otp.verified', headers, event)).toEqual([]);
    expect(of('message.status', headers, event)).toContain('body.type');
    expect(of('otp.sent', headers, event)).toEqual(['body.type']);
    expect(of('otp.verified', headers, { ...event, data: { ...event.data, to: '555' } })).toContain('body.data.to');
    expect(of('otp.verified', { ...headers, 'x-service-attempt': '0' }, event)).toEqual(['header X-Service-Attempt']);
    expect(of('otp.verified', json, event)).toEqual(['header X-Service-Signature']);
  });
});
