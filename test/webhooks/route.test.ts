import { describe, expect, it } from 'vitest';
import { applyRoutes, parseWebhookRoute, WebhookRouteError } from '../../src/domain/webhook.js';

function routed(routes: string[], url: string): string | null {
  return applyRoutes(routes.map(parseWebhookRoute), new URL(url))?.href ?? null;
}

describe('parseWebhookRoute and applyRoutes', () => {
  it.each([
    ['https://a.com=http://localhost:3000', 'https://a.com/hook/x?y=1', 'http://localhost:3000/hook/x?y=1'],
    ['https://a.com=http://localhost:3000', 'https://a.com', 'http://localhost:3000/'],
    ['https://a.com/=http://localhost:3000/', 'https://a.com/hook', 'http://localhost:3000/hook'],
    ['https://a.com/hooks=http://b:1/dev', 'https://a.com/hooks/1?q=%20#f', 'http://b:1/dev/1?q=%20'],
    ['https://a.com/hooks=http://b:1/dev', 'https://a.com/hooks', 'http://b:1/dev'],
    ['https://a.com/hooks=http://b:1', 'https://a.com/hooks', 'http://b:1/'],
    ['https://a.com/hooks=http://b:1/dev', 'https://a.com/hooksmith', null],
    ['https://a.com=http://b:1', 'https://sub.a.com/', null],
    ['https://A.com=http://b:1', 'https://a.COM./x', 'http://b:1/x'],
    ['https://a.com=http://b:1', 'https://a.com:8443/x', 'http://b:1/x'],
    ['https://a.com:8443=http://b:1', 'https://a.com:8443/x', 'http://b:1/x'],
    ['https://a.com:8443=http://b:1', 'https://a.com/x', null],
    ['https://[fd00::1]:8443=http://[::1]:3000', 'https://[fd00::1]:8443/x', 'http://[::1]:3000/x'],
    ['https://a.com/a=b=http://b:1/c=d', 'https://a.com/a=b/x', 'http://b:1/c=d/x'],
    ['https://a.com=http://b:1', 'https://a.com//evil.example/x', 'http://b:1//evil.example/x'],
  ])('%s takes %s to %s', (route, url, target) => {
    expect(routed([route], url)).toBe(target);
  });

  it('prefers the port, then the longest prefix, then the first given', () => {
    const routes = [
      'https://a.com=http://b:1',
      'https://a.com/hooks/deep=http://b:2',
      'https://a.com/hooks=http://b:3',
      'https://a.com:8443=http://b:4',
      'https://a.com/hooks=http://b:5',
    ];
    expect(routed(routes, 'https://a.com/x')).toBe('http://b:1/x');
    expect(routed(routes, 'https://a.com/hooks/deep/x')).toBe('http://b:2/x');
    expect(routed(routes, 'https://a.com/hooks/x')).toBe('http://b:3/x');
    expect(routed(routes, 'https://a.com:8443/hooks/deep')).toBe('http://b:4/hooks/deep');
  });

  it.each([
    ['https://a.com', /there is no "=" between two URLs/],
    ['', /there is no "="/],
    ['https://a.com=localhost:3000', /the part after "=" is not an absolute URL/],
    ['a.com=http://localhost:3000', /the left side, "a\.com", is not an absolute URL/],
    ['http://a.com=http://localhost:3000', /left side begins with "http:\/\/" where only https:\/\/ is allowed/],
    [
      'https://a.com=ftp://localhost',
      /right side begins with "ftp:\/\/" where only http:\/\/ or https:\/\/ is allowed/,
    ],
    ['https://a.com=http://', /the right side, "http:\/\/", is not an absolute URL/],
    ['https://a.com?x=1=http://b', /left side contains a query/],
    ['https://a.com=http://b/#top', /right side contains a query or fragment/],
    ['https://me:secret@a.com=http://b', /left side contains a user name/],
  ])('refuses %j, saying what was found and how it is written', (text, complaint) => {
    expect(() => parseWebhookRoute(text)).toThrow(WebhookRouteError);
    expect(() => parseWebhookRoute(text)).toThrow(complaint);
    expect(() => parseWebhookRoute(text)).toThrow('https://app.example.com=http://localhost:3000');
  });
});
