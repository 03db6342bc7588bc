/** Finds the properties of a body that its operation does not know: they are ignored, with a warning. */
import { pointer, variantOf, type Schema } from './document-schema.js';
import type { OpenApiDocument } from '../api/route-table.js';

/** Returns a function of operationId and body that names the unknown properties, as dotted paths. */
export function unknownProperties(document: OpenApiDocument): (operationId: string, body: unknown) => string[] {
  const bodies = new Map<string, Schema>();
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item) as {
      operationId?: string;
      requestBody?: { content?: Record<string, { schema: Schema }> };
    }[]) {
      const schema = operation.requestBody?.content?.['application/json']?.schema;
      if (operation.operationId !== undefined && schema) bodies.set(operation.operationId, schema);
    }
  }
  const named = new Map<string, Schema>();
  const at = (ref: string): Schema => {
    let schema = named.get(ref);
    if (!schema) named.set(ref, (schema = pointer(document, ref) as Schema));
    return schema;
  };
  const resolve = (schema: Schema): Schema => (schema.$ref === undefined ? schema : resolve(at(schema.$ref)));

  const namedBy = new Map<Schema, Record<string, Schema> | null>();

  const walk = (schema: Schema, value: unknown, path: string, found: string[]): void => {
    if (typeof value !== 'object' || value === null) return;
    const own = chosen(resolve(schema), value, at);
    if (Array.isArray(value)) {
      const { items } = own;
      if (items) value.forEach((entry, i) => walk(items, entry, `${path}[${i}]`, found));
      return;
    }
    let known = namedBy.get(own);
    if (known === undefined) namedBy.set(own, (known = propertiesOf(own, resolve)));
    if (!known) return;
    const fields = value as Record<string, unknown>;
    for (const name in fields) {
      const inner = fields[name];
      const property = Object.hasOwn(known, name) ? known[name] : undefined;
      const isLeaf = typeof inner !== 'object' || inner === null;
      if (property && isLeaf) continue;
      const place = path === '' ? name : `${path}.${name}`;
      if (property) walk(property, inner, place, found);
      else found.push(place);
    }
  };

  return (operationId, body) => {
    const found: string[] = [];
    const schema = bodies.get(operationId);
    if (schema) walk(schema, body, '', found);
    return found;
  };
}

/** The variant that the discriminator picks; the schema itself where there is none. */
function chosen(schema: Schema, value: object, at: (ref: string) => Schema): Schema {
  const variant = variantOf(schema, value);
  return variant === undefined ? schema : at(variant);
}

function propertiesOf(schema: Schema, resolve: (schema: Schema) => Schema): Record<string, Schema> | null {
  const parts = [schema, ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map(resolve);
  const named = parts.flatMap((part) => (part.properties ? [part.properties] : []));
  return named.length === 0 ? null : (Object.assign({}, ...named) as Record<string, Schema>);
}
