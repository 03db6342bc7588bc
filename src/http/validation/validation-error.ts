/**
 * Turns the findings of express-openapi-validator into `validation_error`: one detail per field, with the invalid value
 * and the allowed ones.
 */
import { type ErrorDetail, ServiceError } from '../../domain/errors.js';
import { nearestWord } from '../../domain/text.js';
import type { OpenApiDocument, Operation } from '../operations.js';
import { allowed, broken, choiceOf, listed, notKnown, shown } from './describe-schema.js';
import { bodySchema, own, parameterSchemas, type Schema, schemaAt } from './document-schema.js';

interface ValidatorError {
  readonly status: number;
  readonly message: string;
  readonly errors: readonly { readonly path: string; readonly message: string; readonly errorCode?: string }[];
}

/** An invalid call, and the schema that it was validated against. */
export interface InvalidCall {
  readonly document: OpenApiDocument;
  readonly operation: Operation;
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly query: Readonly<Record<string, unknown>>;
  /** Further errors that a schema cannot express. */
  readonly further: readonly ErrorDetail[];
}

/** One finding of the validator. */
interface Finding {
  readonly in: string;
  readonly path: readonly string[];
  readonly keyword: string;
  readonly said: string;
}

/** Whether an error is the validator's rejection of a request. */
export function isValidatorError(error: unknown): error is ValidatorError {
  return (
    typeof error === 'object' && error !== null && (error as { status?: unknown }).status === 400 && 'errors' in error
  );
}

const mostDetails = 50;
/** Maximum number of findings to process: a body of a megabyte may violate hundreds of thousands of rules. */
const mostFindings = 500;

/** The validator's findings as `validation_error` with one detail per field. */
export function validationError(error: ValidatorError, call: InvalidCall): ServiceError {
  const details = /^(?:Unknown query parameter|Empty value found for query parameter) /.test(error.message)
    ? namedWrongly(call)
    : withFurther(detailsOf(error.errors.slice(0, mostFindings).map(findingOf), call), call);
  const [first] = details;
  const more = details.length > 1 ? ` See details for ${details.length - 1} more.` : '';
  const message = first
    ? sentence(`${first.field === '' ? 'The request' : first.field} ${first.message}`) + more
    : sentence(error.message);
  return new ServiceError('validation_error', message, { details });
}

function findingOf({ path, message, errorCode = '' }: ValidatorError['errors'][number]): Finding {
  const [where = '', ...parts] = path.split('/').slice(1);
  return {
    in: where,
    path: parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')),
    keyword: errorCode.split('.', 1)[0] ?? '',
    said: message,
  };
}

function detailsOf(found: readonly Finding[], call: InvalidCall): ErrorDetail[] {
  const findings = found.filter((finding) => !isSaidBy(finding, found, call));
  const byPlace = new Map<string, Finding[]>();
  for (const finding of findings) {
    const place = JSON.stringify([finding.in, finding.path]);
    const beside = byPlace.get(place);
    if (beside) beside.push(finding);
    else if (byPlace.size < mostDetails) byPlace.set(place, [finding]);
  }
  return [...byPlace.values()].flatMap((beside) => detailOf(beside, call));
}

/**
 * Errors that a schema cannot express come first, because they give the reason. A field is listed once, by its schema
 * if that has a finding.
 */
function withFurther(details: readonly ErrorDetail[], { further }: InvalidCall): ErrorDetail[] {
  const byField = new Map([...further, ...details].map((detail) => [detail.field, detail]));
  return [...byField.values()].slice(0, mostDetails);
}

/**
 * Whether other findings describe the error better: those of the parts of a choice, or the choice that contains a
 * missing field.
 */
function isSaidBy(finding: Finding, all: readonly Finding[], call: InvalidCall): boolean {
  if (finding.keyword === 'if') return true;
  if (finding.keyword === 'required') {
    const parent = finding.path.slice(0, -1);
    const choice = all.some((other) => other.keyword === 'oneOf' && samePath(other.path, parent));
    return choice && choiceOf(schemaOf(finding, parent, call))?.includes(finding.path.at(-1) ?? '') === true;
  }
  const isUnion = ({ keyword, path }: Finding) =>
    (keyword === 'oneOf' || keyword === 'anyOf') && samePath(path, finding.path);
  if (!all.some(isUnion) || choiceOf(schemaOf(finding, finding.path, call))) return false;
  return all.some(
    (other) =>
      other.path.length > finding.path.length && samePath(other.path.slice(0, finding.path.length), finding.path),
  );
}

/** Errors of the value as a whole, from which the others follow; the earlier ones are more specific. */
const wholly = ['anyOf', 'oneOf', 'enum', 'const', 'type', 'pattern'];

function detailOf(findings: readonly Finding[], call: InvalidCall): ErrorDetail[] {
  const main = wholly.map((keyword) => findings.find((finding) => finding.keyword === keyword)).find(Boolean);
  const finding = main ?? findings[0];
  if (!finding) return [];
  const schema = schemaOf(finding, finding.path, call);
  const hint = findings.map(({ keyword }) => schema['x-hint']?.[keyword]).find((text) => text !== undefined);
  const message = messageOf(finding, schema, call);
  return [{ field: fieldOf(finding.path), message: hint === undefined ? message : `${message}; ${hint}` }];
}

function messageOf(finding: Finding, schema: Schema, call: InvalidCall): string {
  const { keyword, path, said } = finding;
  const value = valueAt(finding, call);
  if (keyword === 'required') return `is required; give ${allowed(call.document, schema)}`;
  if (keyword === 'additionalProperties')
    return notKnown(path.at(-1) ?? '', schemaOf(finding, path.slice(0, -1), call));
  const choice = choiceOf(schema);
  if (choice && keyword === 'oneOf') {
    if (!isObject(value)) return `must be an object with one of ${listed(choice, 'or')}; found ${shown(value)}`;
    const given = choice.filter((name) => own(value, name) !== undefined);
    return `must have exactly one of ${listed(choice)}; found ${listed(given) || 'none'}`;
  }
  if (finding.in === 'query' && Array.isArray(value)) return `must be given once; found it ${value.length} times`;
  if (!wholly.includes(keyword)) return broken(keyword, schema, value, said);
  const meant =
    finding.in === 'query'
      ? nearestWord(String(value), (schema['x-words'] ?? schema.enum ?? []).map(String))
      : undefined;
  const found = `must be ${allowed(call.document, schema)}; found ${shown(value)}`;
  return meant === undefined ? found : `${found}; did you mean ${meant}?`;
}

/** The schema at a path of the part of the call that a finding refers to. */
function schemaOf(finding: Finding, path: readonly string[], call: InvalidCall): Schema {
  const { document, operation: route, body, query } = call;
  if (finding.in === 'body') return schemaAt(document, bodySchema(document, route, body), body, path);
  const inQuery = finding.in === 'query';
  const properties = parameterSchemas(document, route, inQuery ? 'query' : 'path');
  return schemaAt(document, { properties }, inQuery ? query : call.params, path);
}

function valueAt({ in: where, path }: Finding, { body, query, params }: InvalidCall): unknown {
  const holder = where === 'body' ? body : where === 'query' ? query : params;
  return path.reduce<unknown>((value, name) => own(value, name), holder);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `template.variables[0]`. */
function fieldOf(path: readonly string[]): string {
  return path.reduce((field, name) => {
    if (/^\d+$/.test(name)) return `${field}[${name}]`;
    return field === '' ? name : `${field}.${name}`;
  }, '');
}

function samePath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, i) => name === other[i]);
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function namedWrongly({ document, operation, query }: InvalidCall): ErrorDetail[] {
  const known = Object.keys(parameterSchemas(document, operation, 'query'));
  return Object.entries(query).flatMap(([field, value]) => {
    if (!known.includes(field)) return [{ field, message: notTaken(field, known, operation) }];
    return value === '' ? [{ field, message: 'is empty; set a value, or omit it' }] : [];
  });
}

function notTaken(name: string, known: readonly string[], { method, path }: Operation): string {
  const meant = nearestWord(name, known);
  if (meant !== undefined) return `is not a query parameter of ${method} ${path}; did you mean ${meant}?`;
  return `is not a query parameter of ${method} ${path}, which takes ${known.length === 0 ? 'none' : listed(known)}`;
}
