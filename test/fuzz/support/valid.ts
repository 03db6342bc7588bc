/** Generates values that match a schema of one of our documents. */
import fc from 'fast-check';
import { isSchema, propertiesOf, requiredOf, variantsOf, type Schema } from './schema.js';
import { anyText, lengthOf, ofLength } from './texts.js';

/**
 * Patterns that the text generator cannot read, or for which it would mostly generate nonsense such as the 99th of a
 * month.
 */
const special: readonly (readonly [RegExp, fc.Arbitrary<string>])[] = [
  [/\\d\{1,9\}d/, fc.constantFrom('0s', '0ms', '250ms', '10s', '5m', '24h', '7d', '1h30m', '1d1h1m1s1ms', '40d')],
  [
    /^\^\\d\{4\}-/,
    fc.oneof(
      fc
        .date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString()),
      fc.constantFrom(
        '2026-03-01T10:00+01:00',
        '2026-03-01T10:00:00.5+01:00',
        '0001-01-01T00:00:00Z',
        '9999-12-31T23:59:59.999Z',
        '9899-12-31T23:59:59.998Z',
        '9999-12-31T23:59:59-12:00',
        '0000-01-01T00:00:00+12:00',
        '2026-02-30T00:00:00Z',
        '2026-99-99T99:99:99Z',
      ),
    ),
  ],
];

/** Real waiting times are short: the key of a property or parameter, and its possible values. */
const patience: Readonly<Record<string, fc.Arbitrary<string>>> = {
  settle_real: fc.constantFrom('0ms', '1ms'),
  timeout: fc.constantFrom('0s', '1ms', '3ms'),
  delay: fc.constantFrom('0ms', '1ms'),
};

export function valid(root: unknown, schema: Schema, key = ''): fc.Arbitrary<unknown> {
  const variants = variantsOf(root, schema);
  return fc.oneof(...variants.map((variant) => ofVariant(root, variant, key)));
}

function ofVariant(root: unknown, schema: Schema, key: string): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as readonly unknown[]));
  const types = [schema['type'] ?? guessedType(schema)].flat() as string[];
  return fc.oneof(...types.map((type) => ofType(root, { ...schema, type }, key)));
}

function guessedType(schema: Schema): string | string[] {
  if ('properties' in schema || 'required' in schema) return 'object';
  return 'pattern' in schema ? 'string' : ['string', 'integer', 'boolean', 'null', 'object'];
}

function ofType(root: unknown, schema: Schema, key: string): fc.Arbitrary<unknown> {
  switch (schema['type']) {
    case 'string':
      return patience[key] ?? text(schema);
    case 'integer':
      return fc.integer(bounds(schema, 1));
    case 'number':
      return fc.oneof(fc.integer(bounds(schema, 1)), fc.double({ ...bounds(schema, 0.001), noNaN: true }));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const { minItems = 0, maxItems = 5 } = schema as { minItems?: number; maxItems?: number };
      const items = isSchema(schema['items']) ? valid(root, schema['items']) : fc.jsonValue({ maxDepth: 1 });
      return fc.array(items, { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 5)) });
    }
    default:
      return record(root, schema);
  }
}

function bounds(schema: Schema, step: number): { min: number; max: number } {
  const { minimum, maximum, exclusiveMinimum } = schema as Record<string, number | undefined>;
  const min = minimum ?? (exclusiveMinimum === undefined ? -1000 : exclusiveMinimum + step);
  return { min, max: maximum ?? Math.max(min, 0) + 1_000_000 };
}

function text(schema: Schema): fc.Arbitrary<string> {
  const {
    pattern,
    minLength = 0,
    maxLength = 40,
  } = schema as { pattern?: string; minLength?: number; maxLength?: number };
  if (pattern !== undefined) {
    const known = special.find(([sign]) => sign.test(pattern));
    return known ? known[1] : fc.stringMatching(new RegExp(pattern), { size: 'xsmall' });
  }
  // Lengths at the limits, where counting errors occur.
  const edge = fc.constantFrom(minLength, Math.min(maxLength, 5000)).map((length) => ofLength('', length));
  const within = anyText.map((value) => (lengthOf(value) < minLength ? ofLength(value, minLength) : value));
  return fc.oneof(
    { weight: 6, arbitrary: within.map((value) => (lengthOf(value) > maxLength ? ofLength(value, maxLength) : value)) },
    { weight: 1, arbitrary: 'maxLength' in schema || 'minLength' in schema ? edge : within },
  );
}

function record(root: unknown, schema: Schema): fc.Arbitrary<unknown> {
  const properties = propertiesOf(schema);
  const required = requiredOf(schema);
  const known = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, valid(root, property, name)]),
  );
  for (const name of required) known[name] ??= fc.jsonValue({ maxDepth: 1 });
  const optional = Object.keys(known).filter((name) => !required.includes(name));
  const own = fc.record(known, { requiredKeys: [...required] });
  if (schema['additionalProperties'] !== true) return optional.length === 0 ? fc.record(known) : own;
  const others = fc.dictionary(
    fc.oneof(anyText, fc.constantFrom('text', 'status', 'to', 'id')),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 3 },
  );
  return fc.tuple(others, own).map(([more, mine]) => ({ ...more, ...mine }));
}
