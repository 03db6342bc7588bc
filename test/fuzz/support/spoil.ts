/** Generates nearly valid values with one error at a known place. */
import fc from 'fast-check';
import { isSchema, propertiesOf, requiredOf, variantsOf, type Schema } from './schema.js';
import { anyText, nastyTexts, ofLength } from './texts.js';

type Path = readonly (string | number)[];

export interface Spoiled {
  readonly value: unknown;
  /** A place as in error details: `interactive.buttons[1].title`; empty for the whole. */
  readonly field: string;
  /** A description, for the message of a failure. */
  readonly how: string;
}

interface Node {
  readonly path: Path;
  readonly schema: Schema;
  readonly value: unknown;
}

/** Place and kind of the error are numbers that select among the possible ones. */
export function spoiled(root: unknown, schema: Schema, good: fc.Arbitrary<unknown>): fc.Arbitrary<Spoiled> {
  const junk = fc.oneof(
    fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, '', [], {}, [[]], ['x'], { length: 1 }, { toString: 1 }),
    fc.constantFrom<unknown>(...nastyTexts),
    anyText,
    fc.integer(),
    fc.jsonValue({ maxDepth: 2 }),
    fc.constant(0).map(() => nested(60)),
  );
  return fc.tuple(good, fc.nat(), fc.nat(), junk).map(([value, where, how, replacement]) => {
    const nodes = nodesOf(root, schema, value, []);
    const node = nodes[where % nodes.length] ?? { path: [], schema, value };
    const ways = waysOf(node, replacement);
    const way = ways[how % ways.length];
    if (!way) throw new Error('there is always a way');
    return { value: replaced(value, node.path, way.value), field: fieldName([...node.path, ...way.at]), how: way.how };
  });
}

interface Way {
  readonly value: unknown;
  readonly at: Path;
  readonly how: string;
}

function waysOf({ schema, value }: Node, replacement: unknown): Way[] {
  const ways: Way[] = [{ value: replacement, at: [], how: 'replaced' }];
  const { maxLength, minLength, maximum, minimum, maxItems } = schema as Record<string, number | undefined>;
  if (typeof value === 'string') {
    if (maxLength !== undefined) ways.push({ value: ofLength(value, maxLength + 1), at: [], how: 'one too long' });
    if (minLength !== undefined) ways.push({ value: ofLength(value, minLength - 1), at: [], how: 'one too short' });
    ways.push({ value: `${value}\n`, at: [], how: 'newline added' }, { value: [value], at: [], how: 'in an array' });
  }
  if (typeof value === 'number') {
    if (maximum !== undefined) ways.push({ value: maximum + 1, at: [], how: 'one too many' });
    if (minimum !== undefined) ways.push({ value: minimum - 1, at: [], how: 'one too few' });
    ways.push({ value: String(value), at: [], how: 'as text' }, { value: value + 0.5, at: [], how: 'a half more' });
  }
  if (Array.isArray(value)) {
    ways.push({ value: [], at: [], how: 'emptied' });
    if (maxItems !== undefined && value.length > 0) {
      const full = Array.from({ length: maxItems + 1 }, () => value[0] as unknown);
      ways.push({ value: full, at: [], how: 'one item too many' });
    }
  } else if (isSchema(value)) {
    for (const name of requiredOf(schema)) {
      const { [name]: _left, ...rest } = value;
      ways.push({ value: rest, at: [name], how: 'left out' });
    }
    ways.push({ value: { ...value, typo: replacement }, at: ['typo'], how: 'added' });
  }
  return ways;
}

/** Returns every place of a value that the schema describes. */
function nodesOf(root: unknown, schema: Schema, value: unknown, path: Path): Node[] {
  const variant = fittingVariant(root, schema, value);
  const nodes: Node[] = [{ path, schema: variant, value }];
  if (Array.isArray(value)) {
    const { items } = variant;
    if (isSchema(items)) value.forEach((item, index) => nodes.push(...nodesOf(root, items, item, [...path, index])));
  } else if (isSchema(value)) {
    for (const [name, property] of Object.entries(propertiesOf(variant))) {
      if (Object.hasOwn(value, name)) nodes.push(...nodesOf(root, property, value[name], [...path, name]));
    }
  }
  return nodes;
}

/** Returns the variant with the constants of the value. */
function fittingVariant(root: unknown, schema: Schema, value: unknown): Schema {
  const variants = variantsOf(root, schema);
  const fits = (variant: Schema): boolean =>
    isSchema(value) &&
    requiredOf(variant).every((name) => Object.hasOwn(value, name)) &&
    Object.entries(propertiesOf(variant)).every(
      ([name, property]) => !('const' in property) || value[name] === property['const'],
    );
  return variants.find(fits) ?? variants[0] ?? {};
}

function replaced(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement;
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => (index === key ? replaced(item, rest, replacement) : item));
  }
  const record = value as Record<string, unknown>;
  return { ...record, [key]: replaced(record[key], rest, replacement) };
}

export function fieldName(path: Path): string {
  return path.reduce<string>((field, key) => {
    if (typeof key === 'number') return `${field}[${key}]`;
    return field === '' ? key : `${field}.${key}`;
  }, '');
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i += 1) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}
