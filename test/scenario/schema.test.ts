import { describe, expect, it } from 'vitest';
import { messageStatuses } from '../../src/domain/words.js';
import { scenarioJsonSchema } from '../../src/scenario/schema/scenario.js';
import { FACTS_BY_HOOK, HOOKS, SLOTS_BY_HOOK } from '../../src/scenario/schema/hooks.js';

const schema = scenarioJsonSchema();

/** Every schema inside, with its path. */
function walk(node: unknown, path: string, visit: (node: Record<string, unknown>, path: string) => void): void {
  if (Array.isArray(node)) node.forEach((item, index) => walk(item, `${path}[${index}]`, visit));
  else if (typeof node === 'object' && node !== null) {
    visit(node as Record<string, unknown>, path);
    for (const [key, value] of Object.entries(node)) walk(value, `${path}.${key}`, visit);
  }
}

describe('the JSON Schema', () => {
  it('describes every property in a sentence', () => {
    const silent: string[] = [];
    walk(schema, '', ({ properties, additionalProperties }, path) => {
      if (additionalProperties !== false) return;
      for (const [key, property] of Object.entries(properties as Record<string, { description?: string }>)) {
        if (!/\S.*[.:?]$|…$/.test(property.description ?? '')) silent.push(`${path}.${key}`);
      }
    });
    expect(silent).toEqual([]);
  });

  /**
   * Each key of a mapping counts once, wherever it is allowed and whatever it means there. Values do not count, and so
   * the statuses of the service do not, which are keys in the steps of a lifecycle.
   */
  it('has at most 95 words', () => {
    const words = new Set<string>();
    walk(schema, '', ({ properties, additionalProperties }) => {
      if (additionalProperties === false) for (const key of Object.keys(properties as object)) words.add(key);
    });
    for (const status of messageStatuses) words.delete(status);
    expect(words.size).toBeLessThanOrEqual(95);
  });

  it('refers only to definitions it has, and keeps no other word beside a reference', () => {
    const definitions = schema.definitions as Record<string, unknown>;
    walk(schema, '', (node, path) => {
      if (typeof node.$ref !== 'string') return;
      expect(Object.keys(node), path).toEqual(['$ref']);
      expect(definitions[node.$ref.replace('#/definitions/', '')], path).toBeDefined();
    });
  });

  it('holds patterns that JavaScript understands', () => {
    walk(schema, '', ({ pattern }) => {
      if (typeof pattern === 'string') expect(() => new RegExp(pattern, 'u')).not.toThrow();
    });
  });
});

it('every hook has slots and facts', () => {
  for (const hook of HOOKS) {
    expect(SLOTS_BY_HOOK[hook].length).toBeGreaterThan(0);
    expect(FACTS_BY_HOOK[hook].length).toBeGreaterThan(0);
  }
});
