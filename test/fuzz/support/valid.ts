/** Generates values that match a schema of one of our documents, and texts that often cause errors. */
import fc from 'fast-check';
import { isSchema, propertiesOf, requiredOf, variantsOf, type Schema } from './schema.js';

const nastyTexts = [
  ...['', ' ', '\u0000', 'a\u0000b', '\ud800', 'x\udc00y', '👩‍👩‍👧‍👦', '𝒜'.repeat(20), 'e\u0301'.repeat(10)],
  ...['\u202eabc', '\ufeffbom', '__proto__', 'constructor', 'toString', 'null', 'NaN', '-0', '1e309'],
  ...['{{1}}', '{{1}} {{3}}', '{{0}}', '{{999999999999999999999}}', '${id}', '%00', '%s%n', '../../etc/passwd'],
  ...['<script>alert(1)</script>', "'; DROP TABLE messages; --", '\r\nX-Injected: 1', 'a\nb\tc'],
  ...['+12025550121', '+00', '2026-02-30T25:61:61Z', 'x'.repeat(5000)],
];

/** Any text, often an unusual one. Includes lone surrogates, which JSON can express. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 2, arbitrary: fc.constantFrom(...nastyTexts) },
);

/** A text of exactly this many code points, outside the basic plane, so that a count of UTF-16 units is detected. */
function ofLength(text: string, points: number): string {
  const have = Array.from(text);
  return [...have.slice(0, points), ...Array<string>(Math.max(0, points - have.length)).fill('𝒳')].join('');
}

const instants = fc.oneof(
  fc
    .date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.constantFrom(
    ...['2026-03-01T10:00+01:00', '2026-03-01T10:00:00.5+01:00', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'],
    ...['9999-12-31T23:59:59-12:00', '0000-01-01T00:00:00+12:00', '2026-02-30T00:00:00Z', '2026-99-99T99:99:99Z'],
  ),
);

/** Patterns for which the generator of texts would mostly generate nonsense. */
const special: readonly (readonly [RegExp, fc.Arbitrary<string>])[] = [
  [/\\d\{1,9\}d/, fc.constantFrom('0s', '0ms', '250ms', '10s', '5m', '24h', '7d', '1h30m', '1d1h1m1s1ms', '40d')],
  [/^\^\\d\{4\}-/, instants],
];

/** Real waiting times are short: the key of a property or parameter, and its possible values. */
const patience: Readonly<Record<string, fc.Arbitrary<string>>> = {
  settle_real: fc.constantFrom('0ms', '1ms'),
  timeout: fc.constantFrom('0s', '1ms', '3ms'),
  delay: fc.constantFrom('0ms', '1ms'),
};

export function valid(root: unknown, schema: Schema, key = ''): fc.Arbitrary<unknown> {
  return fc.oneof(...variantsOf(root, schema).map((variant) => ofVariant(root, variant, key)));
}

function ofVariant(root: unknown, schema: Schema, key: string): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as readonly unknown[]));
  const isObject = 'properties' in schema || 'required' in schema;
  const guess = isObject
    ? 'object'
    : 'pattern' in schema
      ? 'string'
      : ['string', 'integer', 'boolean', 'null', 'object'];
  const types = [schema['type'] ?? guess].flat() as string[];
  return fc.oneof(...types.map((type) => ofType(root, { ...schema, type }, key)));
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
  } = schema as { pattern?: string } & Record<string, number | undefined>;
  if (pattern !== undefined) {
    const known = special.find(([sign]) => sign.test(pattern));
    return known ? known[1] : fc.stringMatching(new RegExp(pattern), { size: 'xsmall' });
  }
  const fitted = (value: string): string => {
    const { length } = Array.from(value);
    return length < minLength || length > maxLength
      ? ofLength(value, length < minLength ? minLength : maxLength)
      : value;
  };
  // Lengths at the limits, where counting errors occur.
  const edge = fc.constantFrom(minLength, Math.min(maxLength, 5000)).map((length) => ofLength('', length));
  return fc.oneof({ weight: 6, arbitrary: anyText.map(fitted) }, { weight: 1, arbitrary: edge });
}

function record(root: unknown, schema: Schema): fc.Arbitrary<unknown> {
  const required = requiredOf(schema);
  const properties = Object.entries(propertiesOf(schema));
  const known = Object.fromEntries(properties.map(([name, property]) => [name, valid(root, property, name)]));
  for (const name of required) known[name] ??= fc.jsonValue({ maxDepth: 1 });
  const own = fc.record(known, { requiredKeys: [...required] });
  if (schema['additionalProperties'] !== true) return own;
  const names = fc.oneof(anyText, fc.constantFrom('text', 'status', 'to', 'id'));
  const others = fc.dictionary(names, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
  return fc.tuple(others, own).map(([more, mine]) => ({ ...more, ...mine }));
}
