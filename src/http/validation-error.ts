/**
 * What express-openapi-validator finds wrong with a request, said as the service says it: one detail per field, with what was
 * found and what is allowed (contract §2 row 7).
 */
import { ServiceError, type ErrorDetail } from '../domain/errors.js';

interface ValidatorError {
  readonly status: number;
  readonly message: string;
  readonly errors?: readonly { readonly path: string; readonly message: string; readonly errorCode?: string }[];
}

/** Whether an error is the validator's judgement of a request. */
export function isValidatorError(error: unknown): error is ValidatorError {
  return (
    typeof error === 'object' && error !== null && (error as { status?: unknown }).status === 400 && 'errors' in error
  );
}

const mostDetails = 50;

/** The validator's findings as `validation_error` with one detail per field. */
export function validationError(error: ValidatorError, body: unknown): ServiceError {
  const details = wrongVariant(error.message, body) ?? detailsOf(error, body);
  const [first] = details;
  const message = first
    ? `${first.field === '' ? 'The request' : first.field} ${first.message}.`
    : sentence(error.message);
  return new ServiceError('validation_error', message, { details });
}

function detailsOf(error: ValidatorError, body: unknown): ErrorDetail[] {
  const seen = new Set<string>();
  const details: ErrorDetail[] = [];
  for (const found of error.errors ?? []) {
    // What a composed schema adds about itself says nothing that its parts have not said.
    if (/^must match (?:"then"|"else"|exactly one|a schema|some)/.test(found.message)) continue;
    const field = fieldOf(found.path);
    // Only the body is at hand here: of a query or a header nothing is said of what was found, rather than "nothing".
    const message = explainIn(
      found.message,
      /^\/(?:query|params|headers)\b/.test(found.path) ? null : shownAt(body, field),
    );
    const key = `${field} ${message}`;
    if (seen.has(key)) continue;
    seen.add(key);
    details.push({ field, message });
    if (details.length === mostDetails) break;
  }
  return details;
}

/** What the validator says of a discriminator that names no variant: it tells the path of the call, not of the field. */
function wrongVariant(message: string, body: unknown): ErrorDetail[] | null {
  const [, field, allowed] = /^'(\w+)' must be equal to one of the allowed values: (.*?)\.*$/.exec(message) ?? [];
  if (field === undefined || allowed === undefined) return null;
  const value = valueAt(body, field);
  return [
    {
      field,
      message:
        value === undefined ? `is required; one of ${allowed}` : `must be one of ${allowed}; found ${shown(value)}`,
    },
  ];
}

/** `/body/template/variables/0` → `template.variables[0]`. */
function fieldOf(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  if (['body', 'query', 'params', 'headers'].includes(parts[0] ?? '')) parts.shift();
  return parts.reduce((field, part) => {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (/^\d+$/.test(name)) return `${field}[${name}]`;
    return field === '' ? name : `${field}.${name}`;
  }, '');
}

/** What the patterns of the document mean, for people. */
const patternMeanings: readonly [RegExp, string][] = [
  [/\(\\d\{1,9\}d\)/, 'must be a duration such as 250ms, 10s, 5m, 24h, 7d or 1h30m, the largest unit first'],
  [/\\\+\[1-9\]/, 'must be an E.164 number: + and 7 to 15 digits, the first not 0, such as +12025550101'],
  [/\^https:/, 'must be an absolute https:// URL'],
  [/\^https\?:/, 'must be an absolute http:// or https:// URL'],
  [
    /\[a-z\]\[a-z0-9_\]/,
    'must start with a lowercase letter and hold lowercase letters, digits and underscores only (at most 512)',
  ],
];

function shownAt(body: unknown, field: string): string {
  return shown(valueAt(body, field));
}

function explainIn(message: string, found: string | null): string {
  const ending = found === null ? '' : `; found ${found}`;
  if (/^must have required property/.test(message)) return 'is required';
  if (message === 'must NOT have additional properties') return 'is not known here; a typo, or a field of another call';
  if (message.startsWith('must match pattern')) {
    const meaning = patternMeanings.find(([sign]) => sign.test(message))?.[1] ?? message;
    return meaning + ending;
  }
  if (/^must (?:be|NOT)/.test(message)) return message + ending;
  return message;
}

function valueAt(body: unknown, field: string): unknown {
  let value = body;
  for (const part of field.split(/[.[\]]+/).filter((name) => name !== '')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') {
    const points = Array.from(value).length;
    return points > 60 ? `a text of ${points} characters` : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value);
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
