import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLoopbackAddress, reachOf } from '../../src/webhooks/sender/address-range.js';

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

  it.each([
    ['the metadata services of clouds', ['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '192.0.0.192']],
    ['… in other spellings', ['fd00:0ec2:0:0::0254', '::ffff:100.100.100.200', '168.63.129.16']],
    ['NAT64', ['64:ff9b::169.254.169.254', '64:ff9b::a9fe:a9fe', '64:ff9b:1::a9fe:a9fe', '64:ff9b::6464:64c8']],
    ['6to4 and Teredo', ['2002:a9fe:a9fe::1', '2001:0:1:2:3:4:5601:5601']],
    ['the first forms of IPv6', ['::169.254.169.254', '::ffff:0:169.254.169.254']],
  ])('never lets through %s, whatever wraps it', (_what, addresses) => {
    for (const address of addresses) expect([address, reachOf(address)]).toEqual([address, 'never']);
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
