/** Validates what an operation returned, by the compiled schemas of its document. */
import { ServiceError } from '../../domain/errors.js';
import type { CompiledOperations } from './compiled-operation.js';

/** @throws ServiceError `internal_error` when the response breaks the document: a fault of the sandbox */
export function checkResponse(compiled: CompiledOperations, operationId: string, status: number, body: unknown): void {
  const check = compiled[operationId]?.answers[status];
  if (!check || check(body)) return;
  const [first] = check.errors ?? [];
  const place = first === undefined ? '' : ` at "${first.instancePath}" (${first.keyword})`;
  throw new ServiceError(
    'internal_error',
    `The response of the sandbox to ${operationId} does not match its OpenAPI document${place}. This is a bug of the sandbox; please report it.`,
  );
}
