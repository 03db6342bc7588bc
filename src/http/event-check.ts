/**
 * An event that a caller composes, held against the `webhooks` of the document: what a receiver gets is what the document
 * promises (contract §4, events).
 */
import type { EventType } from '../domain/event.js';
import type { OpenApiDocument } from './route-table.js';
import { validationError } from './validation-error.js';

interface EventFault {
  /** JSON pointer into the event. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Compiled when the package is built (scripts/compile-validators.ts); `errors` is of the latest call. */
export interface EventCheck {
  (event: unknown): boolean;
  readonly errors?: readonly EventFault[] | null;
}

export type EventChecks = Readonly<Record<EventType, EventCheck>>;

/**
 * @param document of the emulated service, asked for when there is something to say
 * @throws ServiceError `validation_error`, with every field of the data that its schema does not allow
 */
export function requireSound(
  check: EventCheck,
  event: { readonly type: EventType; readonly data: object },
  document: () => OpenApiDocument,
): void {
  const body = { id: 'evt_0', created_at: '2026-03-01T09:00:00.000Z', ...event };
  if (check(body)) return;
  const errors = (check.errors ?? []).map(({ instancePath, keyword, message = 'does not fit', params }) => {
    const { missingProperty: missing } = params;
    return {
      path: `/body${instancePath}${typeof missing === 'string' ? `/${missing}` : ''}`,
      errorCode: keyword,
      message,
    };
  });
  const { type } = event;
  const route = { operationId: type, method: 'post', path: type, params: {}, body: 'required' } as const;
  const webhooks = asOperations(document());
  throw validationError(
    { status: 400, message: `data is none of ${type}`, errors },
    { document: webhooks, route, body, query: {} },
  );
}

/** The document with what it calls webhooks in place of its paths, so that they are spoken of in the same words. */
function asOperations(document: OpenApiDocument): OpenApiDocument {
  const { webhooks = {} } = document as OpenApiDocument & { readonly webhooks?: OpenApiDocument['paths'] };
  return { ...document, paths: webhooks };
}
