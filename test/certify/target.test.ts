import { describe, expect, it } from 'vitest';
import { TargetError, targetOf } from '../../src/certify/target.js';
import { applyRoutes } from '../../src/webhooks/addresses.js';

describe('targetOf', () => {
  it.each([
    'http://localhost:3000/hook?a=1',
    'http://localhost/hook',
    'http://127.0.0.1:443/hook',
    'http://[::1]:8080/',
    'http://user:word@app.test:81/hook/',
  ])('leads %s back to plain HTTP by way of https', (text) => {
    const { url, routes } = targetOf(text);
    expect(url).toMatch(/^https:/);
    const routed = applyRoutes(routes, new URL(url));
    const meant = new URL(text);
    expect([routed?.origin, routed?.pathname, routed?.search]).toStrictEqual([
      meant.origin,
      meant.pathname,
      meant.search,
    ]);
  });

  it('keeps https as it is, without the fragment', () => {
    expect(targetOf('https://app.test/hook#top')).toStrictEqual({ url: 'https://app.test/hook', routes: [] });
  });

  it.each(['localhost:3000/hook', '/hook', '', 'ftp://localhost/hook', 'http://'])('refuses %j', (text) => {
    expect(() => targetOf(text)).toThrow(TargetError);
    expect(() => targetOf(text)).toThrow(`Invalid receiver URL "${text}". Expected http:// or https://`);
  });
});
