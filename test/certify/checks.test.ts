import { describe, expect, it } from 'vitest';
import { groups } from '../../src/certify/check.js';
import { checks } from '../../src/certify/checks.js';

describe('the registry', () => {
  it('names every check once, in words that stand alone', () => {
    const ids = checks.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, title, why, sends, expects, criterion } of checks) {
      expect(id).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
      expect(title, id).toMatch(/^[A-Z].*[^.]$/);
      for (const text of [why, sends, expects, criterion]) expect(text, id).toMatch(/^[A-Z0-9a-z].*\.$/);
      expect(why.length, id).toBeGreaterThan(60);
    }
  });

  it('plays what may break the receiver after everything that needs it whole', () => {
    const order = checks.map(({ group }) => groups.indexOf(group));
    expect(order).toStrictEqual([...order].sort((a, b) => a - b));
  });
});
