/**
 * Turns the findings of express-openapi-validator into `validation_error`: one detail per field, with the invalid value
 * and the allowed ones.
 */
import { type ErrorDetail, ServiceError } from '../../domain/errors.js';
import { codePoints, mustBe, shown } from '../../domain/must-be.js';
import { nearestWord } from '../../domain/text.js';
import type { Call, OpenApiDocument } from '../operations.js';
import type { Operation } from '../operation.js';
import { bodySchema, own, parameterSchemas, type Schema, schemaAt } from './document-schema.js';

interface ValidatorError {
  readonly status: number;
  readonly message: string;
  readonly errors: readonly { readonly path: string; readonly message: string; readonly errorCode?: string }[];
}

export function isValidatorError(error: unknown): error is ValidatorError {
  return (
    typeof error === 'object' && error !== null && (error as { status?: unknown }).status === 400 && 'errors' in error
  );
}

const mostDetails = 50;
/** Maximum number of findings to process: a body of a megabyte may violate hundreds of thousands of rules. */
const mostFindings = 500;

export function validationError(
  error: ValidatorError,
  document: OpenApiDocument,
  call: Call,
  further: readonly ErrorDetail[],
): ServiceError {
  const details = /^(?:Unknown query parameter|Empty value found for query parameter) /.test(error.message)
    ? namedWrongly(document, call)
    : withFurther(detailsOf(error, document, call), further);
  const [first] = details;
  const more = details.length > 1 ? ` See details for ${details.length - 1} more.` : '';
  const message = first
    ? sentence(`${first.field === '' ? 'The request' : first.field} ${first.message}`) + more
    : sentence(error.message);
  return new ServiceError('validation_error', message, { details });
}

/**
 * Errors that a schema cannot express come first, because they give the reason. A field is listed once, by its schema
 * if that has a finding.
 */
function withFurther(details: readonly ErrorDetail[], further: readonly ErrorDetail[]): ErrorDetail[] {
  const byField = new Map([...further, ...details].map((detail) => [detail.field, detail]));
  return [...byField.values()].slice(0, mostDetails);
}

interface Finding {
  /** `/body/template/name`, `/query/limit`, `/params/phone`. */
  readonly place: string;
  readonly keyword: string;
  readonly said: string;
}

interface WrongPlace {
  readonly where: string;
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly parent: Schema;
  readonly holder: unknown;
  readonly value: unknown;
}

function detailsOf({ errors }: ValidatorError, document: OpenApiDocument, call: Call): ErrorDetail[] {
  const findings = errors.slice(0, mostFindings).map(({ path, message, errorCode = '' }): Finding => {
    return { place: path, keyword: errorCode.split('.', 1)[0] ?? '', said: message };
  });
  const at = (place: string) => wrongPlaceAt(place, document, call);
  const byPlace = new Map<string, Finding[]>();
  for (const finding of findings.filter((each) => !isSaidBy(findings, each, at))) {
    byPlace.set(finding.place, [...(byPlace.get(finding.place) ?? []), finding]);
  }
  return Array.from(byPlace, ([place, all]) => detailOf(all, at(place))).slice(0, mostDetails);
}

function wrongPlaceAt(place: string, document: OpenApiDocument, call: Call): WrongPlace {
  const [, where = '', ...path] = place.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const operation = call.operation as Operation;
  const holder: unknown = call[where as 'body' | 'query' | 'params'];
  const whole =
    where === 'body'
      ? bodySchema(document, operation, holder)
      : { properties: parameterSchemas(document, operation, where === 'query' ? 'query' : 'path') };
  return {
    where,
    path,
    schema: schemaAt(whole, holder, path),
    parent: schemaAt(whole, holder, path.slice(0, -1)),
    holder: path.slice(0, -1).reduce<unknown>((value, name) => own(value, name), holder),
    value: path.reduce<unknown>((value, name) => own(value, name), holder),
  };
}

/**
 * True if other findings describe the error better: the findings of the parts of a choice, or the choice that contains a
 * missing field.
 */
function isSaidBy(all: readonly Finding[], { place, keyword }: Finding, at: (place: string) => WrongPlace): boolean {
  if (keyword === 'if') return true;
  if (keyword === 'required') {
    const parent = place.slice(0, place.lastIndexOf('/'));
    if (!all.some((other) => other.keyword === 'oneOf' && other.place === parent)) return false;
    return at(parent).schema['x-choice']?.includes(at(place).path.at(-1) ?? '') === true;
  }
  const isChoice = all.some((other) => /^(?:oneOf|anyOf)$/.test(other.keyword) && other.place === place);
  if (!isChoice || at(place).schema['x-choice']) return false;
  return all.some((other) => other.place.startsWith(`${place}/`));
}

/** Errors of the value as a whole, from which the others follow; the earlier ones are more specific. */
const wholly = ['anyOf', 'oneOf', 'enum', 'const', 'type', 'pattern'];

function detailOf(findings: readonly Finding[], found: WrongPlace): ErrorDetail {
  const [first] = [...wholly.flatMap((word) => findings.filter(({ keyword }) => keyword === word)), ...findings];
  const { keyword = '', said = '' } = first ?? {};
  const hint = findings.map((each) => found.schema['x-hint']?.[each.keyword]).find((text) => text !== undefined);
  const message = messageOf(keyword, said, found);
  return { field: fieldOf(found.path), message: hint === undefined ? message : `${message}; ${hint}` };
}

function messageOf(keyword: string, said: string, found: WrongPlace): string {
  const { where, path, schema, parent, value } = found;
  if (keyword === 'required') return `is required; give ${schema['x-allowed'] ?? 'a value'}${misspelt(found)}`;
  if (keyword === 'additionalProperties') {
    const meant = nearestWord(path.at(-1) ?? '', Object.keys(parent.properties ?? {}));
    return `is unknown here; ${meant === undefined ? 'a typo, or a field of another call' : `did you mean ${meant}?`}`;
  }
  const { 'x-allowed': allowed = 'a value', 'x-choice': choice, 'x-demands': demands } = schema;
  if (choice && keyword === 'oneOf') {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return mustBe(`an object with one of ${listed(choice, 'or')}`, value);
    const given = choice.filter((name) => Object.hasOwn(value, name));
    return `must have exactly one of ${listed(choice)}; found ${listed(given) || 'none'}`;
  }
  const inQuery = where === 'query';
  if (inQuery && Array.isArray(value)) return `must be given once; found it ${value.length} times`;
  if (keyword === 'uniqueItems') {
    const [, at = '0'] = /## (\d+)/.exec(said) ?? [];
    return `must not contain duplicates; found ${shown(own(value, at))} twice`;
  }
  if (!wholly.includes(keyword)) return `${demands?.[keyword] ?? said}; found ${measured(keyword, value)}`;
  const words = inQuery ? (schema['x-words'] ?? schema.enum ?? []).map(String) : [];
  const meant = typeof value === 'string' ? nearestWord(value, words) : undefined;
  return mustBe(allowed, value) + (meant === undefined ? '' : `; did you mean ${meant}?`);
}

function misspelt({ path, parent, holder }: WrongPlace): string {
  // Where no other property is allowed, it has a separate error.
  if (parent.additionalProperties === false) return '';
  const name = path.at(-1) ?? '';
  const given = typeof holder === 'object' && holder !== null ? Object.keys(holder) : [];
  const unknown = given.filter((each) => !Object.hasOwn(parent.properties ?? {}, each));
  const meant = unknown.find((each) => nearestWord(each, [name]) === name);
  return meant === undefined ? '' : `; ${meant} is unknown, did you mean ${name}?`;
}

function measured(keyword: string, value: unknown): string {
  if (keyword === 'minProperties') return 'none';
  if (/^(?:min|max)Length$/.test(keyword)) return String(codePoints(String(value)));
  return /^(?:min|max)Items$/.test(keyword) ? String((value as unknown[]).length) : shown(value);
}

/** `a`, `a and b`, `a, b and c`. */
function listed(words: readonly string[], last: 'and' | 'or' = 'and'): string {
  const end = words.at(-1) ?? '';
  return words.length < 2 ? end : `${words.slice(0, -1).join(', ')} ${last} ${end}`;
}

/** `template.variables[0]`. */
function fieldOf(path: readonly string[]): string {
  return path
    .map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`))
    .join('')
    .replace(/^\./, '');
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function namedWrongly(document: OpenApiDocument, call: Call): ErrorDetail[] {
  const { method, path } = call.operation as Operation;
  const known = Object.keys(parameterSchemas(document, { method, path }, 'query'));
  return Object.entries(call.query).flatMap(([field, value]) => {
    if (known.includes(field)) return value === '' ? [{ field, message: 'is empty; set a value, or omit it' }] : [];
    const meant = nearestWord(field, known);
    const takes = `which takes ${known.length === 0 ? 'none' : listed(known)}`;
    const end = meant === undefined ? `, ${takes}` : `; did you mean ${meant}?`;
    return [{ field, message: `is not a query parameter of ${method} ${path}${end}` }];
  });
}
