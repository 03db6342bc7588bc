/** Reading JSON schemas of our documents: references followed, parts put together. */
export type Schema = Readonly<Record<string, unknown>>;

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? (value as readonly Schema[]) : [];
}

export function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  return isSchema(schema['properties']) ? (schema['properties'] as Readonly<Record<string, Schema>>) : {};
}

export function requiredOf(schema: Schema): readonly string[] {
  return Array.isArray(schema['required']) ? (schema['required'] as readonly string[]) : [];
}

/** What a reference names; the schema itself where there is none. What stands beside a reference counts too. */
export function follow(root: unknown, schema: Schema): Schema {
  const { $ref, ...beside } = schema;
  if (typeof $ref !== 'string') return schema;
  const found = $ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, key) => (at as Schema | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], root);
  if (!isSchema(found)) throw new Error(`${$ref} names no schema`);
  return { ...follow(root, found), ...beside };
}

/** Two schemas as one that asks for both; of what both say about one thing, the second wins. */
export function merged(first: Schema, second: Schema): Schema {
  return {
    ...first,
    ...second,
    properties: { ...propertiesOf(first), ...propertiesOf(second) },
    required: [...new Set([...requiredOf(first), ...requiredOf(second)])],
  };
}

/** The shapes that a value may take: `allOf` put together, one for each variant of `oneOf` and `anyOf`. */
export function variantsOf(root: unknown, given: Schema): Schema[] {
  const { allOf, oneOf, anyOf, ...own } = follow(root, given);
  const whole = listOf(allOf).reduce<Schema>((sum, part) => merged(sum, variantsOf(root, part)[0] ?? {}), own);
  const choices = [...listOf(oneOf), ...listOf(anyOf)];
  if (choices.length === 0) return [whole];
  return choices.flatMap((choice) =>
    variantsOf(root, choice).map((variant) =>
      'properties' in variant || 'required' in variant ? merged(whole, variant) : { ...whole, ...variant },
    ),
  );
}
