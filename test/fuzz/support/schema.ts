/** Reads JSON schemas of our documents, with references resolved and parts merged. */
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

/** Returns the target of a reference; the schema itself if it has none. Keywords next to a reference also count. */
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

/** Merges two schemas; if both have a keyword, the second one's value is used. */
export function merged(first: Schema, second: Schema): Schema {
  return {
    ...first,
    ...second,
    properties: { ...propertiesOf(first), ...propertiesOf(second) },
    required: [...new Set([...requiredOf(first), ...requiredOf(second)])],
  };
}

/** Returns the shapes that a value can have: `allOf` merged, and one for each variant of `oneOf` and `anyOf`. */
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
