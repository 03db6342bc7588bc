/**
 * Enters both planes without Express's router, which has nothing to decide about their calls: changing prototypes and walking
 * along its routes took a good part of a call (docs/decisions/007).
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { Call, Middleware, Next } from './request-context.js';

export interface Planes {
  readonly v1: Middleware;
  readonly control: Middleware;
}

/** The calls of the control plane; pages for a browser are routes of Express. */
const ofControl = /^\/_sandbox\/(?!(?:ui|docs)?(?:[/?]|$))/;

/** Sends the calls of a plane there, and all others to the app; and to the app what a plane could not handle. */
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
 * Shortens the whole URL that a client writes when it takes the sandbox for a proxy (RFC 9112, 3.2.2). A URL of another host
 * than the Host header names stays as it is, so nothing is found there.
 */
function originForm(target: string, host: string | undefined): string {
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return target;
  const asked = new URL(target);
  return asked.host === host?.toLowerCase() ? asked.pathname + asked.search : target;
}

/** Gives a call what the app gives each that it handles: the prototypes and properties of Express. */
export function asExpress(app: Express): (request: Call, response: ServerResponse) => void {
  return (request, response) => {
    Object.setPrototypeOf(request, app.request);
    Object.setPrototypeOf(response, app.response);
    Object.assign(request, { res: response });
    Object.assign(response, { req: request, locals: {} });
  };
}

/** Makes middleware with its first call. Calls that come meanwhile keep their order; if it cannot be made, each fails. */
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

/** Runs middleware one after the other, as a router does. What one of them throws goes to `next`, once. */
export function runMiddleware(all: readonly Middleware[], request: Call, response: ServerResponse, next: Next): void {
  let ended = false;
  let failed = false;
  const end = (error?: unknown): void => {
    // Middleware may throw after it has passed its error on; and after a good end the response may still be found wrong.
    if (failed || (ended && error === undefined)) return;
    ended = true;
    failed = error !== undefined;
    next(error);
  };
  const from = (position: number): void => {
    const middleware = all[position];
    if (!middleware) {
      end();
      return;
    }
    try {
      middleware(request, response, (error) => {
        if (error === undefined) from(position + 1);
        else end(error);
      });
    } catch (error) {
      end(error);
    }
  };
  from(0);
}
