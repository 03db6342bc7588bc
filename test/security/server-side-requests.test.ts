/**
 * An attacker registers a webhook whose URL leads the sandbox to a server that only the sandbox can reach, or to a
 * public one.
 */
import { describe, expect, it } from 'vitest';
import type { Lookup, ResolvedAddress } from '../../src/webhooks/addresses.js';
import { createSender } from '../../src/webhooks/send.js';
import { machineTime } from '../../src/time/system-clock.js';
import { destinationOf } from '../support/destinations.js';
import { startReceiver } from '../support/receivers.js';

const addressed = (...addresses: string[]): ResolvedAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const nobody: Lookup = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
const find = (url: string, lookup: Lookup = nobody, allowPublic = false) => destinationOf(url, { allowPublic, lookup });

describe('the public guard', () => {
  it.each([
    'https://8.8.8.8/',
    'https://134744072/',
    'https://0x08080808/',
    'https://0x8.0x8.0x8.0x8/',
    'https://010.010.010.010/',
    'https://8.8.2056/',
    'https://8.8.8.8./',
    'https://[::ffff:8.8.8.8]/',
    'https://[::ffff:0808:0808]/',
    'https://[64:ff9b::8.8.8.8]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:4860:4860::8888]/',
    'https://localhost@8.8.8.8/',
    'https://localhost:443@8.8.8.8/',
    'https://8.8.8.8\\@localhost/',
    'https://8.8.8.8#@localhost/',
    'https://8.8.8.8?@localhost/',
    'https://\uff18.8.8.8/',
  ])('sees a public address in %s', async (url) => {
    expect(await find(url)).toMatchObject({ code: 'public_destination_blocked' });
  });

  it.each([
    'https://169.254.169.254/latest/meta-data/',
    'https://169.254.169.254./',
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://0251.0376.0251.0376/',
    'https://[::ffff:169.254.169.254]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[64:ff9b::6464:64c8]/',
    'https://[fd00:ec2::254]/',
    'https://[fd20:ce::254]/',
    'https://100.100.100.200/',
    'https://[::ffff:100.100.100.200]/',
    'https://192.0.0.192/',
    'https://168.63.129.16/',
    'https://[fe80::1]/',
    'https://0.0.0.0/',
    'https://0/',
    'https://[::]/',
    'https://localhost@169.254.169.254/',
  ])('never lets anybody to %s, whatever is allowed', async (url) => {
    expect(await find(url, nobody, true)).toMatchObject({
      hint: expect.stringContaining('No flag') as string,
    });
  });

  it.each(['metadata.example.com', 'metadata.example.com.', 'metadata.test'])(
    'looks at every address of a name, and at the name without its dot: %s',
    async (name) => {
      for (const answer of [['169.254.169.254'], ['10.0.0.1', '169.254.169.254'], ['10.0.0.1', '64:ff9b::a9fe:a9fe']]) {
        const asked: string[] = [];
        const found = await find(
          `https://${name}/`,
          (host) => (asked.push(host), Promise.resolve(addressed(...answer))),
          true,
        );
        expect(found).toMatchObject({ code: 'public_destination_blocked' });
        expect(asked).toEqual([name.replace(/\.$/, '')]);
      }
    },
  );

  it('takes a resolver that answers with something else than addresses for one that knows nothing', async () => {
    for (const answer of ['localhost', '127.0.0.1.example.com', '', '127.1']) {
      const found = await find('https://odd.example.com/', () => Promise.resolve([{ address: answer, family: 4 }]));
      expect(found).toMatchObject({ code: 'dns_not_found' });
    }
  });
});

describe('a name that changes its address', () => {
  it('between check and connection is asked once, and the connection goes to what was checked', async () => {
    const [checked, other] = [await startReceiver(), await startReceiver(undefined, { host: '127.0.0.2' })];
    const answers = [addressed('127.0.0.1'), addressed('127.0.0.2'), addressed('8.8.8.8')];
    let asked = 0;
    const sender = createSender({
      host: machineTime,
      routes: [],
      allowPublic: false,
      timeoutMs: 5_000,
      insideContainer: false,
      lookup: () => Promise.resolve(answers[asked++] ?? []),
    });
    try {
      const result = await sender.send({
        url: `https://turning.example.com:${checked.port}/hook`,
        headers: {},
        body: '{}',
      });
      expect([result.status, asked]).toEqual([200, 1]);
      expect([checked.received.length, other.connections]).toEqual([1, 0]);
    } finally {
      await sender.close();
      await Promise.all([checked.close(), other.close()]);
    }
  });
});
