import { describe, expect, it } from 'vitest';
import { Destinations, type DestinationSettings } from '../../src/webhooks/sender/destinations.js';
import { parseWebhookRoute } from '../../src/domain/webhook-route.js';
import { namesFrom } from '../support/names.js';

function find(url: string, names: Record<string, string[]> = {}, given: Partial<DestinationSettings> = {}) {
  return new Destinations({ routes: [], allowPublic: false, lookup: namesFrom(names), ...given }).find(url);
}

describe('Destinations', () => {
  it.each([
    ['https://sink.sandbox/orders', 'orders', '/'],
    ['https://sink.sandbox/orders/', 'orders', '/'],
    ['https://SINK.sandbox:8443/a.b-c/deep/er?x=1', 'a.b-c', '/deep/er?x=1'],
  ])('%s is the sink %s at %s', async (url, name, path) => {
    expect(await find(url)).toEqual({ kind: 'sink', name, path });
  });

  it.each([
    ...['https://sink.sandbox', 'https://sink.sandbox/', 'https://sink.sandbox/%2e%2f/x', 'https://sink.sandbox//x'],
    ...['http://localhost/', 'ftp://a', 'localhost:3000', '', 'https://'],
  ])('refuses %j, which names no sink or is no https URL', async (url) => {
    const hint = expect.stringContaining(url.includes('sink') ? 'NAME' : 'https://') as string;
    expect(await find(url)).toMatchObject({ kind: 'rejected', url, error: { code: 'invalid_url' }, hint });
  });

  it.each([
    ['https://127.0.0.1:3000/hook', ['127.0.0.1']],
    ['https://2130706433/', ['127.0.0.1']],
    ['https://0x7f.1/', ['127.0.0.1']],
    ['https://0177.0.0.1/', ['127.0.0.1']],
    ['https://[::1]:8443/', ['::1']],
    ['https://[::ffff:10.0.0.1]/', ['::ffff:a00:1']],
    ['https://192.168.0.9/', ['192.168.0.9']],
    ['https://localhost:3000/', ['127.0.0.1', '::1']],
    ['https://app.localhost/', ['127.0.0.1', '::1']],
    ['https://web/hook', ['172.18.0.3']],
    ['https://app.test./hook', ['10.1.2.3']],
    ['https://intranet.example.com/', ['10.9.9.9', 'fd00::9']],
  ])('%s is local: any certificate, plain HTTP allowed', async (url, addresses) => {
    const names = { web: ['172.18.0.3'], 'app.test': ['10.1.2.3'], 'intranet.example.com': ['10.9.9.9', 'fd00::9'] };
    const found = await find(url, names);
    expect(found).toMatchObject({ kind: 'http', peer: { tls: 'local' }, plain: { tls: 'none' } });
    expect(found.kind === 'http' && found.peer.addresses.map(({ address }) => address)).toEqual(addresses);
  });

  const publicNames = {
    'api.example.com': ['93.184.216.34'],
    'mixed.example.com': ['10.0.0.1', '93.184.216.34'],
    'mixed6.example.com': ['127.0.0.1', '2606:4700::1111'],
    'wrapped.example.com': ['::ffff:93.184.216.34'],
    'nat64.example.com': ['64:ff9b::7f00:1'],
    'sixtofour.example.com': ['2002:7f00:1::1'],
    'hijacked.test': ['93.184.216.34'],
    web: ['93.184.216.34'],
  };
  it.each([
    'https://93.184.216.34/',
    'https://[2606:4700::1111]/',
    ...Object.keys(publicNames).map((name) => `https://${name}/hook`),
  ])('%s is blocked with three ways out, or let out on request: verified, and without plain HTTP', async (url) => {
    const found = await find(url, publicNames);
    expect(found).toMatchObject({ kind: 'rejected', error: { code: 'public_destination_blocked' } });
    const route = `--webhook-route https://${new URL(url).host}=`;
    for (const way of ['--allow-public-webhooks', route, 'https://sink.sandbox/'])
      expect(found.kind === 'rejected' && found.hint).toContain(way);
    const out = await find(url, publicNames, { allowPublic: true });
    expect(out).toMatchObject({ kind: 'http', peer: { tls: 'verify' }, plain: null });
  });

  it('follows a route, judges its target by the same guard, and keeps neither password nor fragment', async () => {
    const routes = [
      'https://api.example.com=http://localhost:3000/dev',
      'https://out.example.com=https://api.example.com',
    ].map(parseWebhookRoute);
    const inward = await find('https://me:secret@api.example.com/hook?x=1#f', publicNames, { routes });
    expect(inward).toMatchObject({ kind: 'http', peer: { tls: 'none' }, plain: null });
    expect(inward.kind === 'http' && inward.href).toBe('http://localhost:3000/dev/hook?x=1');
    expect(await find('https://out.example.com/', publicNames, { routes })).toMatchObject({
      kind: 'rejected',
      url: 'https://api.example.com/',
      error: { code: 'public_destination_blocked' },
    });
    const direct = await find('https://me:secret@localhost/#f');
    expect(direct.kind === 'http' && direct.href).toBe('https://localhost/');
  });

  it.each([
    ['https://app.test:8443/', 'dns_not_found', '--webhook-route https://app.test='],
    ['https://web/', 'dns_not_found', 'compose service'],
    ['https://host.docker.internal/', 'dns_not_found', 'host-gateway'],
    ['https://typo.example.com/', 'dns_not_found', 'spelling'],
    ['https://empty.example.com/', 'dns_not_found', 'spelling'],
    ['https://offline.test/', 'dns_failed', '--webhook-route https://offline.test='],
  ])('%s ends in %s with a hint', async (url, code, hint) => {
    const found = await find(url, { 'empty.example.com': [], 'offline.test': ['EAI_AGAIN'] });
    expect(found).toMatchObject({ kind: 'rejected', error: { code } });
    expect(found.kind === 'rejected' && found.hint).toContain(hint);
  });
});
