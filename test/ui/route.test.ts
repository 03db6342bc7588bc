import { describe, expect, it } from 'vitest';
import { hrefOf, parseRoute } from '../../src/ui/page/core/route.js';

describe('the address', () => {
  it.each([
    ['', { key: null, place: '', path: [], query: {} }],
    ['#', { key: null, place: '', path: [], query: {} }],
    ['#/', { key: null, place: '', path: [], query: {} }],
    ['#/test_default', { key: 'test_default', place: '', path: [], query: {} }],
    ['#/k/conversations/+12025550123', { key: 'k', place: 'conversations', path: ['+12025550123'], query: {} }],
    ['#/k/requests?status=500&q=a%20b', { key: 'k', place: 'requests', path: [], query: { status: '500', q: 'a b' } }],
    ['#/worker3~flaky-api/conversations/', { key: 'worker3~flaky-api', place: 'conversations', path: [], query: {} }],
    ['#/100%/conversations', { key: '100%', place: 'conversations', path: [], query: {} }],
  ])('%s is read', (hash, route) => {
    expect(parseRoute(hash)).toStrictEqual(route);
  });

  it.each([
    ['k', 'conversations', ['+12025550123'], { q: 'a b' }],
    ['a/b?c#d', 'webhooks', ['deliveries', 'ü %/'], {}],
    ['schlüssel', 'requests', [], { q: '+1&x=2' }],
  ])('%s comes back as it went', (key, place, path, query) => {
    expect(parseRoute(hrefOf(key, place, path, query))).toStrictEqual({ key, place, path, query });
  });

  it('leaves out what is not asked for', () => {
    expect(hrefOf('k', 'requests', [], { q: '', status: null, after: undefined, n: 0 })).toBe('#/k/requests?n=0');
  });

  it('shows a number as it is written', () => {
    expect(hrefOf('k', 'conversations', ['+12025550123'])).toBe('#/k/conversations/+12025550123');
  });
});
