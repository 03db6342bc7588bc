import { describe, expect, it } from 'vitest';
import { hrefOf, parseRoute } from '../../src/ui/page/core/route.js';

describe('the address', () => {
  it.each([
    ['', { key: null, panel: '', path: [], query: {} }],
    ['#', { key: null, panel: '', path: [], query: {} }],
    ['#/', { key: null, panel: '', path: [], query: {} }],
    ['#/test_default', { key: 'test_default', panel: '', path: [], query: {} }],
    ['#/k/handset/+12025550123', { key: 'k', panel: 'handset', path: ['+12025550123'], query: {} }],
    ['#/k/requests?status=500&q=a%20b', { key: 'k', panel: 'requests', path: [], query: { status: '500', q: 'a b' } }],
    ['#/worker3~flaky-api/handset/', { key: 'worker3~flaky-api', panel: 'handset', path: [], query: {} }],
    ['#/100%/handset', { key: '100%', panel: 'handset', path: [], query: {} }],
  ])('%s is read', (hash, route) => {
    expect(parseRoute(hash)).toStrictEqual(route);
  });

  it.each([
    ['k', 'handset', ['+12025550123'], { q: 'a b' }],
    ['a/b?c#d', 'webhooks', ['deliveries', 'ü %/'], {}],
    ['schlüssel', 'requests', [], { q: '+1&x=2' }],
  ])('%s comes back as it went', (key, panel, path, query) => {
    expect(parseRoute(hrefOf(key, panel, path, query))).toStrictEqual({ key, panel, path, query });
  });

  it('leaves out what is not asked for', () => {
    expect(hrefOf('k', 'requests', [], { q: '', status: null, after: undefined, n: 0 })).toBe('#/k/requests?n=0');
  });

  it('shows a number as it is written', () => {
    expect(hrefOf('k', 'handset', ['+12025550123'])).toBe('#/k/handset/+12025550123');
  });
});
