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

/** The type of the values of a shape. */
export type ValueOf<S> = S extends Shape<infer T> ? T : never;

/** Reports a value of the wrong kind. */
export function wrongKind(
  place: YamlNode,
  { allowed, example }: Pick<Shape<unknown>, 'allowed' | 'example'>,
  replacement?: string,
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

/** A shape that is printed once, under a name. A function can refer to the shape that it makes. */
export function named<T>(name: string, allowed: string, example: string, make: Shape<T> | (() => Shape<T>)): Shape<T> {
  let made: Shape<T> | undefined;
  const shape = () => (made ??= typeof make === 'function' ? make() : make);
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

/** One of several shapes. `which` returns the one that is meant, or undefined for a value of the wrong kind. */
export function oneOfShapes<T>(
  shapes: readonly Shape<T>[],
  which: (place: YamlNode) => Shape<T> | undefined,
  allowed = shapes.map((shape) => shape.allowed).join(', or '),
  example = shapes[0]?.example ?? '',
): Shape<T> {
  return {
    allowed,
    example,
    read: (place) => (which(place) ?? { read: () => wrongKind(place, { allowed, example }) }).read(place),
    print: (definitions) => ({ anyOf: shapes.map((shape) => shape.print(definitions)) }),
  };
}

interface Kinds {
  readonly scalar?: Shape<unknown>;
  readonly list?: Shape<unknown>;
  readonly map?: Shape<unknown>;
}

/** One of several shapes, chosen by whether the value is a scalar, a list or a mapping. */
export function byKind<K extends Kinds>({ scalar, list, map }: K): Shape<ValueOf<K[keyof K]>> {
  return oneOfShapes(
    [scalar, list, map].filter((shape) => shape !== undefined),
    (place) => (place.map() && map) ?? (place.list() && list) ?? (place.scalar() && scalar),
  ) as Shape<ValueOf<K[keyof K]>>;
}
