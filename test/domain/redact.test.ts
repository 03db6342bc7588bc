import { describe, expect, it } from 'vitest';
import { bodyOf, redactedHeaders, redactedQuery, redactedText, redactedUrl } from '../../src/domain/request.js';

describe('what is redacted', () => {
  it.each([
    ['authorization', 'Bearer test_default_42', 'Bearer test***'],
    ['authorization', 'Bearer short', 'Bearer ***'],
    ['Authorization', 'Basic dXNlcjpwYXNzd29yZA==', 'Basic ***'],
    ['authorization', 'a key with spaces', '***'],
    ['proxy-authorization', 'Basic dXNlcjpwYXNzd29yZA==', 'Basic ***'],
    ...[
      ...['cookie', 'Set-Cookie', 'x-api-key', 'Api-Key', 'apikey', 'x-sandbox-token', 'X-Auth-Token', 'x-auth'],
      ...['X-Amz-Security-Token', 'X-CSRF-Token', 'X-Goog-Iap-Jwt-Assertion', 'Ocp-Apim-Subscription-Key'],
      ...['x-client-secret', 'x-session-id', 'x-password'],
    ].map((name) => [name, 'value', '***']),
    ...['host', 'Idempotency-Key', 'x-service-signature', 'www-authenticate', 'x-author', 'x-request-id'].map(
      (name) => [name, 'value', 'value'],
    ),
  ] as [string, string, string][])('the header %s: %s', (name, value, kept) => {
    expect(redactedHeaders({ [name]: value })).toEqual({ [name]: kept });
  });

  it('parameters of a query, whose other parts stay as they were written', () => {
    expect(redactedQuery('to=%2B1&control_token=x&api%5Fkey=y&sig=z&token')).toBe(
      'to=%2B1&control_token=***&api%5Fkey=***&sig=***&token',
    );
  });

  it('the password and the query of a URL', () => {
    expect(redactedUrl('https://user:pass@host/path?x=1&token=t')).toBe('https://user:***@host/path?x=1&token=***');
    expect(redactedUrl('https://host:8443/a@b')).toBe('https://host:8443/a@b');
  });

  it('leave the word of an error whose field is called key', () => {
    const words = '{"key":"INVALID_REQUEST","number":null}';
    expect(redactedText(words)).toBe(words);
    expect(redactedText('{"key":"a1b2c3"}')).toBe('{"key":"***"}');
  });

  it('signing secrets, keys and fields with the name of a credential, in any text', () => {
    const text =
      '{"id":"w_1","secret":"whsec_ab\\"c","to":"+1","api_key" : "k"} signed with whsec_0f-9, Bearer a.b-c sent';
    expect(redactedText(text)).toBe(
      '{"id":"w_1","secret":"***","to":"+1","api_key" : "***"} signed with whsec_***, Bearer *** sent',
    );
  });
});

it.each([
  ['application/json', '{"a":1}', { a: 1 }],
  ['application/problem+json; charset=utf-8', '{"a":1}', { a: 1 }],
  ['text/html', '{"a":1}', '{"a":1}'],
  ['application/json', '{"a":', '{"a":'],
])('a body of %s is shown as what it is: %s', (type, text, shown) => {
  expect(bodyOf({ headers: { 'content-type': type }, text })).toEqual(shown);
});
