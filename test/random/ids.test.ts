import { describe, expect, it } from 'vitest';
import { Ids } from '../../src/random/ids.js';

const ids = (seed: number | string = 1, account = 'a') => new Ids(seed, account, {});
const many = (count: number, make: () => string) => Array.from({ length: count }, make);

describe('a code', () => {
  it('has as many digits as asked for, leading zeros included, each digit about as often', () => {
    const own = ids();
    for (let length = 4; length <= 8; length += 1) expect(own.code(length)).toMatch(new RegExp(`^\\d{${length}}$`));
    const codes = many(5_000, () => own.code(6));
    expect(codes.filter((code) => code.startsWith('0')).length).toBeGreaterThan(350);
    const counts = new Map<string, number>();
    for (const digit of codes.join('')) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    // 3,000 each; six standard deviations are 312.
    for (const digit of '0123456789') expect(Math.abs((counts.get(digit) ?? 0) - 3_000), digit).toBeLessThan(312);
  });
});

describe('the other ids', () => {
  it('come from streams of their own: drawing one kind moves no other', () => {
    const plain = ids();
    const busy = ids();
    many(57, () => busy.uuid() + busy.code(6) + busy.wamid('+12025550150') + busy.requestId() + busy.eventId());
    expect(busy.secret()).toBe(plain.secret());
    const other = ids();
    many(3, () => other.secret());
    expect(other.uuid()).toBe(plain.uuid());
    expect(other.code(6)).toBe(plain.code(6));
    expect(other.wamid('+12025550150')).toBe(plain.wamid('+12025550150'));
    expect(other.eventId()).toBe(plain.eventId());
    expect(other.requestId()).toBe(plain.requestId());
  });
});

describe('what a seed yields', () => {
  it('is the same in every version: tests that users wrote hold these values', () => {
    const own = ids('pinned', 'key');
    const two = (make: () => string) => many(2, make);
    expect({
      uuid: two(() => own.uuid()),
      tunnelId: two(() => own.uuid('tunnel')),
      tunnelSecret: two(() => own.secret('tunnel')),
      eventId: two(() => own.eventId()),
      requestId: two(() => own.requestId()),
      secret: two(() => own.secret()),
      code: two(() => own.code(6)),
      wamid: ['+1202555', '+12025550150', '+491520000000123'].map((phone) => own.wamid(phone)),
    }).toEqual({
      uuid: ['2dfccd81-15a9-41f4-8886-cb1b791de26b', '1f6c6206-5217-444b-990a-83465234379d'],
      tunnelId: ['ef01b37e-b847-4b78-9d63-1b85cf5d7db4', '0fc4dc6a-a35e-4946-ac20-b19ccaa96fe8'],
      tunnelSecret: ['whsec_bjAm8XqvNV06JNkIhtXAjAg4zJsWWNzB', 'whsec_bioO5swS2LCO6o0mVWONF7dKJ97xly84'],
      eventId: ['evt_BkBYDodApwYv0NwIJNPVcQS7', 'evt_bKNwNwXg9oVNQ1NBbJ6tugpG'],
      requestId: ['req_07abb298084a44fc', 'req_b41e954f0aefab08'],
      secret: ['whsec_ceNp1O32HxD2GR2bgd1eYXy4rSwW2eRj', 'whsec_b4OBUjfDcc4yYpGKXgWPMAe0mqB6ofXW'],
      code: ['111621', '352541'],
      wamid: [
        'wamid.HBgHMTIwMjU1NRUCABEYEjk3MkMxOUMyQzkxMEI3NkM1MQA=',
        'wamid.HBgLMTIwMjU1NTAxNTAVAgARGBJCMUI3MDNGMkU1QzlFMDMyOEQA',
        'wamid.HBgPNDkxNTIwMDAwMDAwMTIzFQIAERgSRjc1MURBQzgxNEJDQkVDN0UyAA==',
      ],
    });
  });
});
