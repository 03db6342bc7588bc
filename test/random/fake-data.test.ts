import { expect, it } from 'vitest';
import { FakeData } from '../../src/random/fake-data.js';

const fakeData = () => new FakeData(1, 'a', {});

it('names people in full and writes short sentences', () => {
  const own = fakeData();
  for (let i = 0; i < 50; i += 1) {
    expect(own.profileName()).toMatch(/\S \S/);
    const words = own.sentence().split(' ').length;
    expect(words).toBeGreaterThanOrEqual(3);
    expect(words).toBeLessThanOrEqual(8);
  }
});

it('makes up numbers of real places in the range of fiction, none of them magic', () => {
  const own = fakeData();
  const seen = new Set(Array.from({ length: 2_000 }, () => own.phone()));
  // The magic numbers end at 80; an area code that ends in 11 is a service, no place.
  for (const phone of seen) expect(phone).toMatch(/^\+1[2-9](?!11)\d\d55501(?:8[1-9]|9\d)$/);
  expect(seen.size).toBeGreaterThan(500);
});
