import { execFileSync } from 'node:child_process';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sign, verifySignature } from '../../src/webhooks/sign.js';

const SECRET = 'whsec_an-example-secret';
const BODIES = ['{}', '{"id":"evt_1","data":{"text":"Grüße 👋 \\u00e9"}}', '', ' {"a" : 1.0}\r\n', 'x'.repeat(100_000)];

describe('sign', () => {
  it.each(BODIES)('agrees with openssl', (body) => {
    const hex = execFileSync('openssl', ['dgst', '-sha256', '-hmac', SECRET, '-r'], { input: body });
    expect(sign(SECRET, body)).toBe(`sha256=${hex.toString().slice(0, 64)}`);
  });

  it('takes the secret whole: without its prefix the signature is another', () => {
    expect(sign(SECRET, '{}')).not.toBe(sign(SECRET.slice('whsec_'.length), '{}'));
  });
});

describe('verifySignature', () => {
  it('accepts exactly its own signatures', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.uint8Array(), fc.nat(), (secret, body, at) => {
        const header = sign(secret, body);
        expect(verifySignature(secret, body, header)).toBe(true);
        expect(verifySignature(`${secret}x`, body, header)).toBe(false);
        expect(verifySignature(secret, Buffer.concat([body, Buffer.from([0])]), header)).toBe(false);
        const digit = 7 + (at % 64);
        const other = header[digit] === '0' ? '1' : '0';
        expect(verifySignature(secret, body, header.slice(0, digit) + other + header.slice(digit + 1))).toBe(false);
      }),
    );
  });

  const good = sign(SECRET, '{}');
  it.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty header', ''],
    ['the digest alone', good.slice(7)],
    ['another algorithm', good.replace('sha256', 'sha512')],
    ['the prefix in capitals', good.replace('sha256', 'SHA256')],
    ['digits in capitals', `sha256=${good.slice(7).toUpperCase()}`],
    ['a digit less', good.slice(0, -1)],
    ['a digit more', `${good}0`],
    ['a space before', ` ${good}`],
    ['a line end after', `${good}\n`],
    ['two in one header', `${good}, ${good}`],
    ['two headers', [good, good]],
    ['one header in a list', [good]],
    ['no hex', `sha256=${'zz'.repeat(32)}`],
    ['non-ASCII digits', `sha256=${'１'.repeat(64)}`],
  ])('refuses %s without throwing', (_what, header) => {
    expect(verifySignature(SECRET, '{}', header)).toBe(false);
  });

  it('refuses a secret that is not there, as in a program without types', () => {
    expect(verifySignature(undefined as unknown as string, '{}', good)).toBe(false);
  });

  it.each([
    [{ id: 'evt_1' }, 'found an object'],
    [undefined, 'found undefined'],
    [5, 'found a number'],
  ])('says of the body %j that it is not what was received', (body, found) => {
    const verify = () => verifySignature(SECRET, body as unknown as string, good);
    expect(verify).toThrow(TypeError);
    expect(verify).toThrow(`${found}. Take the raw body, before any JSON parsing`);
  });
});
