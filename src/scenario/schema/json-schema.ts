/** Schemas as JSON Schema, for editors and documentation. */
import { aboutIfKnown, zod, type JsonSchema, type Schema } from './kit.js';

/** Returns a schema as draft-07 JSON Schema. The loader checks more than a schema can express. */
export function jsonSchemaOf(schema: Schema<unknown>): JsonSchema {
  return zod().toJSONSchema(schema, {
    target: 'draft-7',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const told = aboutIfKnown(zodSchema);
      if (told?.kind !== 'record' && told?.json !== undefined) {
        for (const key of Object.keys(jsonSchema)) if (key !== 'description') Reflect.deleteProperty(jsonSchema, key);
      }
      const needs = (keys: readonly string[]) => keys.map((key) => ({ required: [key] }));
      const { exactlyOne, atLeastOne, keywords } = told?.object ?? {};
      Object.assign(jsonSchema, told?.json, exactlyOne && { oneOf: needs(exactlyOne) });
      Object.assign(jsonSchema, atLeastOne && { anyOf: needs(atLeastOne) }, keywords);
      if (jsonSchema.minItems === 0) delete jsonSchema.minItems;
      // In draft-07, nothing beside a reference counts.
      const { $ref, ...beside } = jsonSchema;
      if ($ref === undefined || Object.keys(beside).length === 0) return;
      delete jsonSchema.$ref;
      jsonSchema.allOf = [{ $ref }];
    },
  });
}
