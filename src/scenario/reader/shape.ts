/**
 * Shapes: the one description of the scenario language. Each reads a value from a place, or reports a problem there, and
 * prints itself as draft-07 JSON Schema. Its type parameter is the type of the value.
 */
import type { YamlNode, Invalid } from './yaml-node.js';

export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Named parts of the printed schema, filled while printing. */
export type Definitions = Map<string, JsonSchema>;

export interface Shape<T> {
  /** A short description of what is allowed. */
  readonly allowed: string;
  /** A valid value on one line. */
  readonly example: string;
  /** Whether there is only one valid value. */
  readonly isConstant?: true;
  /** Returns the value, or `INVALID` after reporting a problem. */
  read(place: YamlNode): T | Invalid;
  print(definitions: Definitions): JsonSchema;
}

/** Reports a value of the wrong kind. */
export function wrongKind(
  place: YamlNode,
  {
    allowed,
    example,
    replacement,
  }: { readonly allowed: string; readonly example: string; readonly replacement?: string },
): Invalid {
  const missing = place.describe() === 'nothing';
  return place.report({
    code: missing ? 'missing_value' : 'wrong_type',
    message: missing ? 'The value is missing.' : `This must be ${allowed}.`,
    allowed,
    example,
    ...(replacement !== undefined && { replacement }),
  });
}

/** A shape that is printed once, under a name, and can contain itself. */
export function named<T>(name: string, allowed: string, example: string, make: () => Shape<T>): Shape<T> {
  let made: Shape<T> | undefined;
  const shape = () => (made ??= make());
  return {
    allowed,
    example,
    read: (place) => shape().read(place),
    print(definitions) {
      if (!definitions.has(name)) {
        definitions.set(name, {});
        definitions.set(name, shape().print(definitions));
      }
      return { $ref: `#/definitions/${name}` };
    },
  };
}

/** One of several shapes, chosen by whether the value is a scalar, a list or a mapping. */
export function byKind<A = never, B = never, C = never>(kinds: {
  readonly scalar?: Shape<A>;
  readonly list?: Shape<B>;
  readonly map?: Shape<C>;
}): Shape<A | B | C> {
  const present: Shape<A | B | C>[] = [kinds.scalar, kinds.list, kinds.map].filter((shape) => shape !== undefined);
  const allowed = present.map((shape) => shape.allowed).join(', or ');
  const example = present[0]?.example ?? '';
  return {
    allowed,
    example,
    read(place) {
      if (place.map() !== undefined && kinds.map !== undefined) return kinds.map.read(place);
      if (place.list() !== undefined && kinds.list !== undefined) return kinds.list.read(place);
      if (place.scalar() !== undefined && kinds.scalar !== undefined) return kinds.scalar.read(place);
      return wrongKind(place, { allowed, example });
    },
    print: (definitions) => ({ anyOf: present.map((shape) => shape.print(definitions)) }),
  };
}
