import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ids } from '../../src/random/ids.js';

const ids = (seed: number | string = 1, account = 'a') => new Ids(seed, account, {});
const many = (count: number, make: () => string) => Array.from({ length: count }, make);

describe('a UUID', () => {
  it('is of version 4 and variant 1, in lower case, and comes once in 200,000', () => {
    const own = ids();
    const seen = new Set<string>();
    let misshapen = 0;
    for (let i = 0; i < 200_000; i += 1) {
      const uuid = own.uuid();
      if (!/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(uuid)) misshapen += 1;
      seen.add(uuid);
    }
    expect(misshapen).toBe(0);
    expect(seen.size).toBe(200_000);
  });

  it('uses all values in every free digit', () => {
    const own = ids();
    const digits = Array.from({ length: 36 }, () => new Set<string>());
    for (const uuid of many(2_000, () => own.uuid())) digits.forEach((seen, at) => seen.add(uuid.charAt(at)));
    const sizes = digits.map((set) => set.size);
    const fixed = new Map([8, 13, 14, 18, 23].map((at) => [at, 1]));
    expect(sizes).toEqual(sizes.map((_, at) => fixed.get(at) ?? (at === 19 ? 4 : 16)));
  });

  it('is another one for another key', () => {
    const mine = ids();
    const theirs = ids(1, 'b');
    const known = new Set(many(1_000, () => mine.uuid()));
    expect(many(1_000, () => theirs.uuid()).filter((uuid) => known.has(uuid))).toEqual([]);
  });
});

describe('a wamid', () => {
  const phones = fc.stringMatching(/^\+[1-9][0-9]{6,14}$/);

  it('decodes byte by byte to the layout of the channel', () => {
    fc.assert(
      fc.property(phones, (phone) => {
        const wamid = ids().wamid(phone);
        expect(wamid).toMatch(/^wamid\.[A-Za-z0-9+/]+=*$/);
        const bytes = Buffer.from(wamid.slice('wamid.'.length), 'base64');
        const digits = phone.slice(1);
        let at = 0;
        const take = (count: number) => bytes.subarray(at, (at += count));
        expect([...take(2)]).toEqual([0x1c, 0x18]);
        expect([...take(1)]).toEqual([digits.length]);
        expect(take(digits.length).toString('latin1')).toBe(digits);
        expect([...take(6)]).toEqual([0x15, 0x02, 0x00, 0x11, 0x18, 0x12]);
        expect(take(18).toString('latin1')).toMatch(/^[0-9A-F]{18}$/);
        expect([...take(1)]).toEqual([0x00]);
        expect(at).toBe(bytes.length);
      }),
    );
  });

  it('differs from message to message to one number', () => {
    const own = ids();
    expect(new Set(many(10_000, () => own.wamid('+12025550150'))).size).toBe(10_000);
  });
});

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
  it('have their forms, and do not repeat', () => {
    const own = ids();
    const forms: [() => string, RegExp][] = [
      [() => own.secret(), /^whsec_[A-Za-z0-9]{32}$/],
      [() => own.eventId(), /^evt_[A-Za-z0-9]{24}$/],
      [() => own.requestId(), /^req_[0-9a-f]{16}$/],
    ];
    for (const [make, form] of forms) {
      const made = many(2_000, make);
      expect(made.filter((id) => !form.test(id))).toEqual([]);
      expect(new Set(made).size).toBe(2_000);
    }
  });

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

  it('go on after a restart where they stopped', () => {
    const draws = {};
    const before = new Ids(1, 'a', draws);
    const first = many(5, () => before.uuid());
    const after = new Ids(1, 'a', structuredClone(draws));
    const whole = ids();
    expect([...first, ...many(5, () => after.uuid())]).toEqual(many(10, () => whole.uuid()));
  });
});

describe('what a seed yields', () => {
  it('is the same in every version: tests that users wrote hold these values', () => {
    const own = ids('pinned', 'key');
    const two = (make: () => string) => many(2, make);
    expect({
      uuid: two(() => own.uuid()),
      tunnelId: two(() => own.tunnelId()),
      tunnelSecret: two(() => own.tunnelSecret()),
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
