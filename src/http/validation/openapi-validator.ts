/**
 * Validates the calls of a plane against its document. express-openapi-validator has the last word; it is loaded when the
 * compiled schemas do not accept a call, which never happens to a correct application.
 */
import type { ServerResponse } from 'node:http';
import type { ErrorDetail } from '../../domain/errors.js';
import { type CompiledOperation, type CompiledOperations, fits } from './compiled-schemas.js';
import { type Call, type Middleware, type Next, runMiddleware } from '../api/request-context.js';
import type { OpenApiDocument, OperationRoute } from '../api/route-table.js';
import { rejectionDocument } from './rejection-document.js';
import { isValidatorError, validationError } from './validation-error.js';

export interface JudgeParts {
  readonly document: OpenApiDocument;
  readonly compiled: CompiledOperations;
  /** The operation that the plane has found for a call. */
  readonly routeOf: (request: Call) => OperationRoute | null;
  /** Makes a call that came past Express's router what Express makes of one: the validator knows no other. */
  readonly asExpress?: (request: Call, response: ServerResponse) => void;
  /** Refuse query parameters the document does not name; by default they are let through. */
  readonly strictQuery?: boolean;
  /** By operationId: what is wrong with a body that its schema cannot tell of, to be named with the rest. */
  readonly beyond?: Readonly<Record<string, (body: unknown) => ErrorDetail[]>>;
}

export class Judge {
  readonly #parts: JudgeParts;
  #rejecting: OpenApiDocument | null = null;
  #validator: Promise<readonly Middleware[]> | null = null;

  constructor(parts: JudgeParts) {
    this.#parts = parts;
  }

  /** Passes a request on when it fits its operation; `next` gets what the validator says, in our words, when it does not. */
  readonly request: Middleware = (request, response, next) => {
    const { routeOf, strictQuery = false, beyond = {} } = this.#parts;
    const route = routeOf(request);
    const compiled = this.#of(route);
    if (route && compiled && fits(compiled, request, route, strictQuery)) next();
    else
      this.#ask(request, response, (error) => {
        if (!route || !isValidatorError(error)) {
          next(error);
          return;
        }
        const { body, query = {} } = request as Call & { query?: Record<string, unknown> };
        const further = beyond[route.operationId]?.(body) ?? [];
        next(validationError(error, { document: this.#document(), route, body, query, further }));
      });
  };

  /** Made with the first call that is not accepted at first sight. */
  #document(): OpenApiDocument {
    return (this.#rejecting ??= rejectionDocument(this.#parts.document));
  }

  #of(route: OperationRoute | null): CompiledOperation | undefined {
    const { compiled } = this.#parts;
    return route && Object.hasOwn(compiled, route.operationId) ? compiled[route.operationId] : undefined;
  }

  #ask(request: Call, response: ServerResponse, next: Next): void {
    const { asExpress, strictQuery = false } = this.#parts;
    asExpress?.(request, response);
    this.#validator ??= import('./validator.js').then(({ createValidator }) =>
      createValidator(this.#document(), { strictQuery }),
    );
    this.#validator.then((steps) => runMiddleware(steps, request, response, next)).catch(next);
  }
}
