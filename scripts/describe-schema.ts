/**
 * Describes schemas in plain words for the messages of rejections: the allowed values as the text after "must be", and for
 * each keyword that a value can violate by itself, what it demands.
 */
import type { Schema as Documented } from './openapi.js';

/** The keywords of our documents. */
interface Schema extends Omit<Documented, 'properties' | 'anyOf' | 'oneOf'> {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly 'x-allowed'?: string;
  readonly 'x-words'?: readonly string[];
}

/** The words of a schema that `src/http/validation/validation-error.ts` reads. */
export function described(schema: Schema): object {
  const choice = choiceOf(schema);
  return {
    'x-allowed': allowed(schema),
    'x-demands': demands(schema),
    ...(choice.length > 0 && { 'x-choice': choice }),
  };
}

/** `a`, `a and b`, `a, b and c`. */
function listed(words: readonly string[], last: 'and' | 'or' = 'and'): string {
  const end = words.at(-1) ?? '';
  return words.length < 2 ? end : `${words.slice(0, -1).join(', ')} ${last} ${end}`;
}

/** `a whole number from 4 to 8`, `one of a, b, c`. */
function allowed(schema: Schema): string {
  if (schema['x-allowed'] !== undefined) return schema['x-allowed'];
  if (schema['x-words']) return `one of ${schema['x-words'].join(', ')}, or several with commas`;
  const values = 'const' in schema ? [schema.const] : schema.enum;
  if (values) return `${values.length === 1 ? '' : 'one of '}${values.map(spelled).join(', ')}`;
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants && schema.type === undefined) return variants.map(allowed).join(', or ');
  const types = [schema.type ?? []].flat().map((type) => ofType(type, schema));
  return types.length === 0 ? 'a value' : listed(types, 'or');
}

function ofType(type: string, schema: Schema): string {
  switch (type) {
    case 'string':
      return `a text${of(characters(schema))}`;
    case 'array':
      return `an array${of(entries(schema))}`;
    case 'integer':
      return `a whole number${within(schema)}`;
    case 'number':
      return `a number${within(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    default:
      return schema.required?.length ? `an object with ${listed(schema.required)}` : 'an object';
  }
}

/** By keyword. */
function demands(schema: Schema): object | undefined {
  const { minimum, maximum, exclusiveMinimum, properties = {}, additionalProperties } = schema;
  const length = `must be ${characters(schema)}`;
  const size = `must have ${entries(schema)}`;
  const range = `must be ${span(minimum, maximum)}`;
  const names = Object.keys(properties);
  const some = additionalProperties === false && names.length > 0 ? `of ${listed(names)}` : 'property';
  const all = {
    ...{ minLength: length, maxLength: length, minItems: size, maxItems: size, minimum: range, maximum: range },
    exclusiveMinimum: `must be more than ${exclusiveMinimum ?? 0}`,
    minProperties: `must have at least one ${some}`,
  };
  const used = Object.entries(all).filter(([keyword]) => keyword in schema);
  return used.length === 0 ? undefined : Object.fromEntries(used);
}

/** The names of which an object must have exactly one; empty for another kind of choice. */
function choiceOf({ oneOf = [] }: Schema): readonly string[] {
  const names = oneOf.flatMap((variant) =>
    Object.keys(variant).every((name) => name === 'required' || name.startsWith('x-')) && variant.required?.length === 1
      ? variant.required
      : [],
  );
  return names.length === oneOf.length ? names : [];
}

/** Empty if there are no bounds. */
function span(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}`;
  if (least !== undefined) return `at least ${least}`;
  return most === undefined ? '' : `at most ${most}`;
}

const characters = ({ minLength, maxLength }: Schema) => counted(minLength, maxLength, 'character', 'characters');
const entries = ({ minItems, maxItems }: Schema) => counted(minItems, maxItems, 'entry', 'entries');

function counted(least: number | undefined, most: number | undefined, one: string, many: string): string {
  const bounds = span(least, most);
  return bounds === '' ? '' : `${bounds} ${(most ?? least) === 1 ? one : many}`;
}

const of = (words: string): string => (words === '' ? '' : ` of ${words}`);

function within({ exclusiveMinimum: above, minimum: least, maximum: most }: Schema): string {
  if (above !== undefined) return ` above ${above}${most === undefined ? '' : `, at most ${most}`}`;
  return least !== undefined && most !== undefined ? ` from ${least} to ${most}` : of(span(least, most));
}

function spelled(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
