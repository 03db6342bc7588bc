import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLoopbackAddress, reachOf } from '../../src/webhooks/addresses.js';
import { parseWebhookRoute } from '../../src/domain/webhook.js';
import { destinationOf, type Found, type Guard } from '../support/destinations.js';
import { namesFrom } from '../support/names.js';

const find = (url: string, names: Record<string, string[]> = {}, given: Partial<Guard> = {}) =>
  destinationOf(url, { lookup: namesFrom(names), ...given });

describe('the destination', () => {
  it.each([
    ['https://sink.sandbox/orders', 'orders', '/orders'],
    ['https://sink.sandbox/orders?x=1', 'orders', '/orders?x=1'],
    ['https://SINK.sandbox:8443/a.b-c/deep/er?x=1', 'a.b-c', '/a.b-c/deep/er?x=1'],
  ])('%s is the sink %s at %s', async (url, name, path) => {
    expect(await find(url)).toEqual({ kind: 'sink', name, path });
  });

  it.each([
    ...['https://sink.sandbox', 'https://sink.sandbox/', 'https://sink.sandbox/%2e%2f/x', 'https://sink.sandbox//x'],
    ...['http://localhost/', 'ftp://a', 'localhost:3000', '', 'https://'],
  ])('refuses %j, which names no sink or is no https URL', async (url) => {
    const hint = expect.stringContaining(url.includes('sink') ? 'NAME' : 'https://') as string;
    expect(await find(url)).toMatchObject({ code: 'invalid_url', hint });
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
    const found = (await find(url, names)) as Found;
    expect(found).toMatchObject({ kind: 'host', secure: true, local: true });
    expect(found.addresses.map(({ address }) => address)).toEqual(addresses);
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
    expect(found).toMatchObject({ code: 'public_destination_blocked' });
    const route = `--webhook-route https://${new URL(url).host}=`;
    for (const way of ['--allow-public-webhooks', route, 'https://sink.sandbox/'])
      expect(found).toMatchObject({ hint: expect.stringContaining(way) as string });
    const out = await find(url, publicNames, { allowPublic: true });
    expect(out).toMatchObject({ kind: 'host', local: false });
  });

  it('follows a route, judges its target by the same guard, and keeps neither password nor fragment', async () => {
    const routes = [
      'https://api.example.com=http://localhost:3000/dev',
      'https://out.example.com=https://api.example.com',
    ].map(parseWebhookRoute);
    const inward = await find('https://me:secret@api.example.com/hook?x=1#f', publicNames, { routes });
    expect(inward).toMatchObject({ secure: false, href: 'http://localhost:3000/dev/hook?x=1' });
    expect(await find('https://out.example.com/', publicNames, { routes })).toMatchObject({
      code: 'public_destination_blocked',
    });
    expect(await find('https://me:secret@localhost/#f')).toMatchObject({ href: 'https://localhost/' });
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
    expect(found).toMatchObject({ code, hint: expect.stringContaining(hint) as string });
  });
});

describe('reachOf', () => {
  it.each([
    ['local', ['127.0.0.1', '127.8.9.10', '::1', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1']],
    ['local', ['fd00::1', 'fc00::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1']],
    ['public', ['8.8.8.8', '172.32.0.1', '100.128.0.1', '192.169.0.1', '2606:4700::1111', '::ffff:8.8.8.8']],
    ['public', ['100.64.0.1', '100.127.255.254', '::ffff:100.64.0.1']],
    ['public', ['64:ff9b::7f00:1', '2002:7f00:1::1', '2001:0:1::1', '198.18.0.1', '192.0.2.1', '240.0.0.1', 'fec0::1']],
    ['never', ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', '::ffff:169.254.169.254', '224.0.0.1', 'ff02::1']],
    ['never', ['0.0.0.0', '0.1.2.3', '::', '255.255.255.255']],
  ])('%s: %j', (reach, addresses) => {
    for (const address of addresses) expect([address, reachOf(address)]).toEqual([address, reach]);
  });

  it('calls an IPv4 address the same bare and wrapped in IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(reachOf(`::ffff:${address}`)).toBe(reachOf(address));
      }),
    );
  });

  it('lets a container runtime borrow unroutable ranges for its host names, and nobody else', () => {
    for (const address of ['198.19.248.254', '0.250.250.254']) {
      expect(reachOf(address, 'host.docker.internal')).toBe('local');
      expect(reachOf(address, 'app.docker.internal')).not.toBe('local');
      expect(reachOf(address, 'app.example.com')).not.toBe('local');
    }
    expect(reachOf('8.8.8.8', 'host.docker.internal')).toBe('public');
    expect(reachOf('0.0.0.0', 'host.docker.internal')).toBe('never');
    expect(reachOf('169.254.169.254', 'host.docker.internal')).toBe('never');
  });

  it('tells loopback from the rest', () => {
    expect(['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', '::'].map(isLoopbackAddress)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
