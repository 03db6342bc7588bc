/**
 * Enters both planes without Express's router, which has nothing to decide about their calls: changing prototypes and walking
 * along its routes took a good part of a call (docs/decisions/007).
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { Call, Middleware } from './request-context.js';

export interface Planes {
  readonly v1: Middleware;
  readonly control: Middleware;
}

/** The calls of the control plane; pages for a browser are routes of Express. */
const ofControl = /^\/_sandbox\/(?!(?:ui|docs)?(?:[/?]|$))/;

/** Sends the calls of a plane there, and all others to the app; and to the app what a plane could not begin to answer. */
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
