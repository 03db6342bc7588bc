import { nearestWord } from '../domain/text.js';

/** One detail of an error. The errors of a scenario also have `file`, `line`, `column` and `path`. */
export interface SandboxErrorDetail {
  readonly message: string;
  readonly [fact: string]: unknown;
}

export interface SandboxErrorParts {
  readonly status?: number | null;
  readonly code: string;
  readonly message: string;
  readonly details?: readonly SandboxErrorDetail[];
  readonly warnings?: readonly SandboxErrorDetail[];
  readonly cause?: unknown;
}

/**
 * The error of every failed call. `code` is one of the sandbox's own codes (`validation_error`, `wait_timeout`, …) or,
 * without a response of a sandbox, `invalid_option`, `start_failed`, `unreachable`, `not_a_sandbox` or `closed`.
 */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  /** HTTP status of the response; null without a response. */
  readonly status: number | null;
  readonly code: string;
  readonly details: readonly SandboxErrorDetail[];
  /** Warnings that accompany the errors of a scenario. */
  readonly warnings: readonly SandboxErrorDetail[];

  constructor({ status = null, code, message, details = [], warnings = [], cause }: SandboxErrorParts) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.details = details;
    this.warnings = warnings;
  }
}

/** The message names the invalid value and the allowed ones. */
/** @throws SandboxError `invalid_option` with the nearest option */
export function requireKnown(caller: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const meant = nearestWord(name, known);
    const next = meant === undefined ? `Known: ${known.join(', ')}.` : `Did you mean "${meant}"?`;
    throw invalidOption(`${caller}: there is no option "${name}". ${next}`);
  }
}

export function invalidOption(message: string, cause?: unknown): SandboxError {
  return new SandboxError({ code: 'invalid_option', message, ...(cause !== undefined && { cause }) });
}

/** The message has a next step for its cause. */
export function unreachable(url: string, cause: unknown): SandboxError {
  // If a name has several addresses, they fail as an AggregateError; its first error has the system's code and text.
  const errors = cause instanceof AggregateError ? [cause, ...(cause.errors as unknown[])] : [cause];
  const known = errors.filter((error) => error instanceof Error);
  const code = known.flatMap((error) => ('code' in error ? [String(error.code)] : []))[0] ?? '';
  const reason = known.find(({ message }) => message !== '')?.message ?? (code || String(cause));
  const message =
    code === 'ECONNREFUSED'
      ? `No server is listening at ${url}. Start a sandbox with "messaging-sandbox start", or wait until its container is healthy.`
      : /CERT|LEAF/.test(code)
        ? `The certificate of ${url} is not trusted: ${reason}. Name the file of its authority in NODE_EXTRA_CA_CERTS.`
        : `${url} cannot be reached: ${reason}. Check the URL, and that the sandbox is running.`;
  return new SandboxError({ code: 'unreachable', message, cause });
}

interface Refusal extends Omit<SandboxErrorParts, 'status' | 'cause'> {
  readonly near_misses?: readonly SandboxErrorDetail[];
}

/** Each detail has a line. A dialect can omit the outer object of the envelope. */
export function refusal(call: string, status: number, body: unknown): SandboxError {
  const error = (body as { error?: unknown } | null | undefined)?.error ?? body;
  if (!isRefusal(error)) {
    const message = `${call}: the response ${status} does not come from a sandbox. Is another program on that port?`;
    return new SandboxError({ status, code: 'not_a_sandbox', message });
  }
  const { code, message, details = [], near_misses: misses = [], warnings = [] } = error;
  // The message already contains a single detail.
  const lines = details.flatMap((detail) => [
    ...(details.length > 1 ? [`\n  ${placeOf(detail)}${detail.message}`] : []),
    ...correctionOf(detail).map((line) => `\n    ${line}`),
  ]);
  const facts = details.length > 0 ? details : misses;
  return new SandboxError({ status, code, message: message + lines.join(''), details: facts, warnings });
}

/** The corrected line of a scenario, or the word that was meant in a line with other errors. */
function correctionOf({ fixed, suggestion }: SandboxErrorDetail): string[] {
  if (typeof fixed === 'string') return [`write: ${fixed.trim()}`];
  return typeof suggestion === 'string' ? [`meant: ${suggestion}`] : [];
}

function placeOf({ field, path, line, column }: SandboxErrorDetail): string {
  if (typeof line === 'number') return `${line}:${String(column)}: `;
  const place = typeof field === 'string' ? field : path;
  return typeof place === 'string' && place !== '' ? `${place}: ` : '';
}

function isRefusal(value: unknown): value is Refusal {
  const { code, message } = (value ?? {}) as Partial<Refusal>;
  return typeof code === 'string' && typeof message === 'string';
}
