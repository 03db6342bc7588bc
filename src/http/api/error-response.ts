/** Any error as the response it becomes: status, headers and envelope. */
import type { Dialect } from '../../dialect/index.js';
import { errorTable, ServiceError } from '../../domain/errors.js';

export interface ErrorAnswer {
  readonly code: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** @param report gets what is a fault of the sandbox */
export function answerError(error: unknown, dialect: Dialect, report: (error: unknown) => void): ErrorAnswer {
  const known = error instanceof ServiceError ? error : null;
  if (!known || known.code === 'internal_error') report(error);
  const refusal =
    known ?? new ServiceError('internal_error', 'The sandbox failed to answer this call; its log says why.');
  const { code, message, details, headers = {}, extra } = refusal;
  const described = { code, message, ...(details && details.length > 0 && { details }), ...extra };
  return {
    code,
    status: dialect.errors.status[code] ?? errorTable[code].status,
    headers,
    body: dialect.errors.envelope === 'flat' ? described : { error: described },
  };
}
