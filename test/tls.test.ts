/** The sandbox over HTTPS, with a certificate that the client trusts. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectSandbox, createSandbox } from '../src/index.js';
import { ConfigError, resolveConfig } from '../src/config/index.js';
import { environmentFor } from '../src/beside/user-command.js';
import type { Sandbox } from '../src/sandbox.js';
import { selfSigned } from './support/receivers.js';
import { startTestSandbox } from './support/sandbox.js';

const folder = mkdtempSync(join(tmpdir(), 'tls-'));
const at = (name: string) => join(folder, name);
const { cert, key } = selfSigned();

beforeAll(() => {
  writeFileSync(at('cert.pem'), cert);
  writeFileSync(at('key.pem'), key);
  writeFileSync(at('text.pem'), 'not a certificate');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const both = () => resolveConfig({ flags: { 'tls-cert': at('cert.pem'), 'tls-key': at('key.pem'), port: '0' } });

describe('--tls-cert and --tls-key', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startTestSandbox(both());
  });
  afterAll(() => sandbox.close());

  it('serve HTTPS, and the URL says so', async () => {
    expect(sandbox.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(environmentFor(sandbox, both(), 'test_default')['MESSAGING_BASE_URL']).toBe(sandbox.url);
    const status = await new Promise((resolve, reject) => {
      // The certificate is for localhost, whatever the address.
      const call = request(`${sandbox.url}/readyz`, { ca: cert, servername: 'localhost' }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      call.once('error', reject);
      call.end();
    });
    expect(status).toBe(200);
  });

  it('are options of the library, whose client trusts its own sandbox', async () => {
    await using own = await createSandbox({ tlsCert: at('cert.pem'), tlsKey: at('key.pem'), logLevel: 'silent' });
    expect(own.url).toMatch(/^https:/);
    expect((await own.customer('+12025550123').says('Hi')).message_id).toBeTruthy();
    // Whoever does not trust the certificate is as well off as with any other server.
    const stranger = connectSandbox({ url: own.url });
    await expect(stranger).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/not trusted: .*self-signed.* NODE_EXTRA_CA_CERTS\.$/) as string,
    });
  });

  it('leave plain HTTP without a response', async () => {
    await expect(fetch(sandbox.url.replace('https:', 'http:') + '/readyz')).rejects.toThrow();
  });
});

describe('files that cannot be used', () => {
  const error = (flags: Record<string, string>) => {
    try {
      resolveConfig({ flags });
    } catch (cause) {
      if (cause instanceof ConfigError) return cause.message;
      throw cause;
    }
    return 'no error';
  };

  it.each([
    ['a certificate alone', { 'tls-cert': 'cert.pem' }, '--tls-cert is given without --tls-key. Give both for HTTPS'],
    ['a key alone', { 'tls-key': 'key.pem' }, '--tls-key is given without --tls-cert. Give both for HTTPS'],
    ['a file that is missing', { 'tls-cert': 'none.pem' }, 'for --tls-cert'],
    ['a file of another kind', { 'tls-cert': 'text.pem' }, 'it is not valid'],
    ['a certificate as the key', { 'tls-cert': 'cert.pem', 'tls-key': 'cert.pem' }, 'for --tls-key'],
  ])('%s', (_what, files, words) => {
    const flags = Object.fromEntries(Object.entries(files).map(([flag, name]) => [flag, at(name)]));
    expect(error(flags)).toContain(words);
  });
});
