/** The shape of a mapping whose keys the author chooses. */
import { wrongKind, type Shape } from './shape.js';
import { INVALID, type YamlNode } from './yaml-node.js';

export function record<T>(
  shape: Shape<T>,
  keys: {
    readonly max: number;
    readonly check: (key: string, place: YamlNode) => boolean;
    readonly example: string;
    readonly pattern?: string;
    /** Returns the shape, if it depends on the key. */
    readonly shapeOf?: (key: string) => Shape<T>;
  },
): Shape<Record<string, T>> {
  const allowed = `a mapping such as { ${keys.example}: ${shape.example} }`;
  const example = `{ ${keys.example}: ${shape.example} }`;
  return {
    allowed,
    example,
    read(place) {
      const node = place.map();
      if (node === undefined) return wrongKind(place, { allowed, example });
      if (place.exhausted) return INVALID;
      if (node.items.length > keys.max) {
        const message = `The mapping has ${node.items.length} entries; at most ${keys.max} are allowed.`;
        return place.report({ code: 'wrong_length', message, allowed: `at most ${keys.max} entries` });
      }
      const value: Record<string, T> = {};
      let whole = true;
      for (const entry of place.entries()) {
        const read = keys.check(entry.key, entry.keyPlace)
          ? (keys.shapeOf?.(entry.key) ?? shape).read(entry.value)
          : INVALID;
        if (read === INVALID) whole = false;
        else value[entry.key] = read;
      }
      return whole ? value : INVALID;
    },
    print: (definitions) => ({
      type: 'object',
      maxProperties: keys.max,
      ...(keys.pattern !== undefined && { propertyNames: { pattern: keys.pattern } }),
      additionalProperties: shape.print(definitions),
    }),
  };
}
