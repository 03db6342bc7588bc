import { expect, it } from 'vitest';
import { MakeUp } from '../../src/random/fake-data.js';

const makeUp = (account = 'a', seed = 1) => new MakeUp(seed, account, {});

it('makes up the same people and words for the same seed and key, and others for others', () => {
  const some = (own: MakeUp) => Array.from({ length: 5 }, () => [own.profileName(), own.sentence(), own.phone()]);
  expect(some(makeUp())).toEqual(some(makeUp()));
  expect(some(makeUp('b'))).not.toEqual(some(makeUp()));
  expect(some(makeUp('a', 2))).not.toEqual(some(makeUp()));
});

it('is not disturbed by another account in between', () => {
  const alone = makeUp();
  const names = Array.from({ length: 5 }, () => alone.profileName());
  const one = makeUp();
  const other = makeUp('b');
  const mixed = names.map(() => {
    other.profileName();
    other.sentence();
    return one.profileName();
  });
  expect(mixed).toEqual(names);
});

it('names people in full and writes short sentences', () => {
  const own = makeUp();
  for (let i = 0; i < 50; i += 1) {
    expect(own.profileName()).toMatch(/\S \S/);
    const words = own.sentence().split(' ').length;
    expect(words).toBeGreaterThanOrEqual(3);
    expect(words).toBeLessThanOrEqual(8);
  }
});

it('makes up numbers of real places in the range of fiction, none of them magic', () => {
  const own = makeUp();
  const seen = new Set(Array.from({ length: 2_000 }, () => own.phone()));
  // The magic numbers end at 80; an area code that ends in 11 is a service, no place.
  for (const phone of seen) expect(phone).toMatch(/^\+1[2-9](?!11)\d\d55501(?:8[1-9]|9\d)$/);
  expect(seen.size).toBeGreaterThan(500);
});
