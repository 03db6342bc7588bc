import { expect, it } from 'vitest';
import { KeyMap } from '../../src/store/key-map.js';
import { fewKeys } from '../../src/store/places-by-key.js';

it.each([100, fewKeys, fewKeys + 1, 3 * fewKeys])('holds what a map would of %i keys', (count) => {
  const map = new KeyMap<{ readonly key: string; readonly n: number }>(({ key }) => key);
  const model = new Map<string, number>();
  for (let n = 0; n < count; n += 1) {
    map.add(`k${n}`, { key: `k${n}`, n });
    model.set(`k${n}`, n);
  }
  for (let n = 0; n < count; n += 3) {
    map.delete(`k${n}`);
    model.delete(`k${n}`);
    if (n + 1 === count) continue;
    map.replace(`k${n + 1}`, { key: `k${n + 1}`, n: -n });
    model.set(`k${n + 1}`, -n);
  }
  expect(map.keys()).toEqual([...model.keys()]);
  expect(map.size).toBe(model.size);
  const wrong = Array.from({ length: count }, (_, n) => `k${n}`).filter((key) => map.get(key)?.n !== model.get(key));
  expect(wrong).toEqual([]);
});
