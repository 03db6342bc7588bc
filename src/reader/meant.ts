import { isMap, isScalar, isSeq } from 'yaml';
import { coreOf, type Schema } from '../language/about.js';
import type { Place } from './place.js';

/** Errors within the value do not count. */
export function accepts(schema: Schema | undefined, place: Place): boolean {
  if (schema === undefined) return false;
  if (coreOf(schema).type === 'any') return true;
  if (isScalar(place.node)) return schema.safeParse(scalarAs(schema, place)).success;
  return meantOption(coreOf(schema).options ?? [schema], place) >= 0;
}

/** The schema of the value's kind that finds most of its required keys. */
export function meantOption(options: readonly Schema[], { node, entries, claimed, text }: Place): number {
  const found = options.map(coreOf).map(({ type, shape = {} }) => {
    if (isMap(node) && type === 'object') {
      return Object.keys(shape).filter(
        (key) => (entries.has(key) || claimed.has(key)) && shape[key]?.def.type !== 'optional',
      ).length;
    }
    if (isSeq(node)) return type === 'array' ? 0 : -1;
    if (text === undefined) return -1;
    return type === 'number' && /^\d+$/.test(text) ? 1 : type === 'string' || type === 'enum' ? 0 : -1;
  });
  return Math.max(...found) < 0 ? -1 : found.indexOf(Math.max(...found));
}

export function meantSchema(schema: Schema | undefined, place: Place): Schema | undefined {
  const { options } = schema === undefined ? {} : coreOf(schema);
  return options === undefined ? schema : (options[meantOption(options, place)] ?? schema);
}

/** Numbers as in JSON; `+12025550123` and `012345` are not JSON numbers, so they stay texts. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A text keeps the characters of the author, whatever YAML takes them for. */
export function scalarAs(wanted: Schema | undefined, place: Place): unknown {
  const { node, text } = place;
  if (!isScalar(node) || node.value === null) return null;
  const schema = meantSchema(wanted, place);
  const { type } = schema === undefined ? {} : coreOf(schema);
  if (type === 'string' || type === 'enum' || typeof node.value === 'string') return text;
  if (type === 'number' || type === 'literal' || typeof node.value === 'boolean') return node.value;
  const number = JSON_NUMBER.test(text ?? '') ? Number(text) : NaN;
  const isExact = Number.isFinite(number) && (Number.isSafeInteger(number) || !Number.isInteger(number));
  return isExact ? number : text;
}
