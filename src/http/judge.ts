/**
 * Judges the calls of a plane, and our own answers, against its document. express-openapi-validator has the last word; it is
 * loaded when the compiled schemas do not accept something at first sight, which a correct application never needs.
 */
import type { Request, Response } from 'express';
import type { CompiledOperation, CompiledOperations } from './compiled-operation.js';
import type { Next, Step } from './exchange.js';
import { fits } from './first-look.js';
import type { OpenApiDocument, OperationRoute } from './route-table.js';
import { runSteps } from './run-steps.js';

export interface JudgeParts {
  readonly document: OpenApiDocument;
  readonly compiled: CompiledOperations;
  /** The operation that the plane has found for a call. */
  readonly routeOf: (request: Request) => OperationRoute | null;
  /** Refuse query parameters the document does not name; by default they are let through. */
  readonly strictQuery?: boolean;
}

export class Judge {
  readonly #parts: JudgeParts;
  #validator: Promise<readonly Step[]> | null = null;

  constructor(parts: JudgeParts) {
    this.#parts = parts;
  }

  /** Passes a request on when it fits its operation; `next` gets the validator's error when it does not. */
  readonly request: Step = (request, response, next) => {
    const { routeOf, strictQuery = false } = this.#parts;
    const route = routeOf(request);
    const compiled = this.#of(route);
    if (route && compiled && fits(compiled, request, route, strictQuery)) next();
    else this.#ask(request, response, next);
  };

  /**
   * Calls `send` when the answer is as the document says. The status stands in `response` by now.
   * @param next gets the error when the answer breaks the document: a fault of ours
   */
  answer(request: Request, response: Response, body: object, send: (body: object) => void, next: Next): void {
    const check = this.#of(this.#parts.routeOf(request))?.answers[response.statusCode];
    if (check?.(body) === true) {
      send(body);
      return;
    }
    response.json = (judged: object) => {
      send(judged);
      return response;
    };
    // It judges what passes through `response.json` after it has seen the request.
    this.#ask(request, response, (error) => {
      if (error !== undefined) {
        next(error);
        return;
      }
      try {
        response.json(body);
      } catch (breach) {
        next(breach);
      }
    });
  }

  #of(route: OperationRoute | null): CompiledOperation | undefined {
    const { compiled } = this.#parts;
    return route && Object.hasOwn(compiled, route.operationId) ? compiled[route.operationId] : undefined;
  }

  #ask(request: Request, response: Response, next: Next): void {
    const { document, strictQuery = false } = this.#parts;
    this.#validator ??= import('./validator.js').then(({ createValidator }) =>
      createValidator(document, { strictQuery }),
    );
    this.#validator.then((steps) => runSteps(steps, request, response, next)).catch(next);
  }
}
