/** What we suggest is written as YAML; a document that is JSON is corrected in JSON, so that it stays what it is (contract §5). */
import { isMap, isScalar, isSeq, parseDocument, type Node, type Scalar } from 'yaml';

/** A value, or `key: value` without braces, as JSON; undefined where it is no YAML of its own. */
export function asJson(fragment: string): string | undefined {
  const isEntry = /^[\w-]+: /.test(fragment);
  const { contents, errors } = parseDocument(isEntry ? `{ ${fragment} }` : fragment, { schema: 'core' });
  if (errors.length > 0 || contents === null) return undefined;
  const json = written(contents);
  return isEntry ? json.slice(2, -2) : json;
}

function written(node: unknown): string {
  if (isMap(node)) {
    const entries = node.items.map(({ key, value }) => `${JSON.stringify(text(key))}: ${written(value)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  if (isSeq(node)) return `[${node.items.map(written).join(', ')}]`;
  const { value } = node as Scalar;
  const isNumber = typeof value === 'number' && String(value) === text(node);
  return isNumber || typeof value === 'boolean' || value === null ? String(value) : JSON.stringify(text(node));
}

/** The characters of a scalar: `+12025550123` is no number. */
function text(node: unknown): string {
  const { source, value } = node as Scalar & Node;
  return isScalar(node) ? (source ?? String(value)) : String(node);
}
