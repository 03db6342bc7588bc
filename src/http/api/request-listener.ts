/**
 * Passes calls to both planes without Express's router, which does not affect them: changing prototypes and checking
 * its routes took a large part of the time of a call (docs/decisions.md).
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { Call, Middleware, Next } from './request-context.js';

export interface Planes {
  readonly v1: Middleware;
  readonly control: Middleware;
}

/** The calls of the control plane; web pages are routes of Express. */
const ofControl = /^\/_sandbox\/(?!(?:ui|docs|explore)?(?:[/?]|$))/;

/** Passes the calls of a plane to it, and everything else to the app, including calls that a plane could not handle. */
export function requestListener(app: Express, { v1, control }: Planes): RequestListener {
  return (request, response) => {
    const call = asCall(request);
    const instead = () => void app(call, response);
    if (call.originalUrl.startsWith('/v1/')) v1(call, response, instead);
    else if (ofControl.test(call.originalUrl)) control(call, response, instead);
    else instead();
  };
}

function asCall(request: IncomingMessage): Call {
  const call = request as Call;
  if (request.url?.startsWith('/') === false) request.url = originForm(request.url, request.headers.host);
  call.originalUrl = request.url ?? '';
  return call;
}

/**
 * Shortens the absolute URL that a client sends if it uses the sandbox as a proxy (RFC 9112, 3.2.2). A URL with a host
 * other than the Host header is unchanged, so the response is 404.
 */
function originForm(target: string, host: string | undefined): string {
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return target;
  const asked = new URL(target);
  return asked.host === host?.toLowerCase() ? asked.pathname + asked.search : target;
}

/** Gives a call the prototypes and properties that Express gives to each call. */
export function asExpress(app: Express): (request: Call, response: ServerResponse) => void {
  return (request, response) => {
    Object.setPrototypeOf(request, app.request);
    Object.setPrototypeOf(response, app.response);
    Object.assign(request, { res: response });
    Object.assign(response, { req: request, locals: {} });
  };
}

/**
 * Creates middleware with its first call. Calls that arrive meanwhile keep their order; if it cannot be created, each
 * of them fails.
 */
export function withFirstCall(make: () => Promise<Middleware>): Middleware {
  let making: Promise<Middleware> | null = null;
  let made: Middleware | null = null;
  return (request, response, next) => {
    if (made !== null) {
      made(request, response, next);
      return;
    }
    making ??= make().then((middleware) => (made = middleware));
    making.then((middleware) => middleware(request, response, next)).catch(next);
  };
}

/**
 * Runs middleware one after the other, as a router does. An error that one of them throws is passed to `next`, once.
 */
export function runMiddleware(all: readonly Middleware[], request: Call, response: ServerResponse, next: Next): void {
  let failed = false;
  const fail = (error: unknown): void => {
    // Middleware may throw after it has passed on its error.
    if (failed) return;
    failed = true;
    next(error);
  };
  const from = (position: number): void => {
    const middleware = all[position];
    if (!middleware) {
      next();
      return;
    }
    try {
      middleware(request, response, (error) => {
        if (error === undefined) from(position + 1);
        else fail(error);
      });
    } catch (error) {
      fail(error);
    }
  };
  from(0);
}
