/** Describes the keywords of a schema in plain words: the allowed values, as the end of an error message. */
import type { Schema } from './document-schema.js';

/** The longest text that is repeated in full, in code points. */
const longestText = 60;

/** The invalid value, shortened for a sentence. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') {
    const points = codePoints(value);
    return points > longestText ? `a text of ${points} characters` : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value);
}

/** The length of a text as the documents count it. */
function codePoints(text: string): number {
  return Array.from(text).length;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[], last: 'and' | 'or' = 'and'): string {
  const end = words.at(-1) ?? '';
  return words.length < 2 ? end : `${words.slice(0, -1).join(', ')} ${last} ${end}`;
}

/** Everything that a schema allows, as the text after "must be": `a whole number from 4 to 8`, `one of a, b, c`. */
export function allowed(schema: Schema): string {
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

/**
 * Describes the violation of a single keyword, without the name of the field.
 * @param said the validator's own message, for keywords that our documents do not use
 */
export function broken(keyword: string, schema: Schema, value: unknown, said: string): string {
  switch (keyword) {
    case 'minLength':
    case 'maxLength':
      return `must be ${characters(schema)}; found ${codePoints(String(value))}`;
    case 'minItems':
    case 'maxItems':
      return `must have ${entries(schema)}; found ${(value as unknown[]).length}`;
    case 'minimum':
    case 'maximum':
      return `must be ${span(schema.minimum, schema.maximum)}; found ${shown(value)}`;
    case 'exclusiveMinimum':
      return `must be more than ${schema.exclusiveMinimum ?? 0}; found ${shown(value)}`;
    case 'uniqueItems': {
      const [, at = '0'] = /## (\d+)/.exec(said) ?? [];
      return `must not contain duplicates; found ${shown((value as unknown[])[Number(at)])} twice`;
    }
    case 'minProperties': {
      const names = Object.keys(schema.properties ?? {});
      const some = schema.additionalProperties === false && names.length > 0 ? `of ${listed(names)}` : 'property';
      return `must have at least one ${some}; found none`;
    }
    default:
      return `${said}; found ${shown(value)}`;
  }
}

/** The names of which an object must have exactly one; null for another kind of choice. */
export function choiceOf({ oneOf = [] }: Schema): string[] | null {
  const names = oneOf.flatMap((variant) =>
    Object.keys(variant).length === 1 && variant.required?.length === 1 ? variant.required : [],
  );
  return names.length > 0 && names.length === oneOf.length ? names : null;
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
