/**
 * Both planes are entered beside Express's router, which has nothing to decide about their calls; to change their prototypes
 * and to walk along the routes was a good part of what a call cost (docs/decisions/007).
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { Call, Step } from './request-context.js';

export interface Planes {
  readonly v1: Step;
  readonly control: Step;
}

/** The control plane's own calls: pages for a browser have routes of Express. */
const ofControl = /^\/_sandbox\/(?!(?:ui|docs)?(?:[/?]|$))/;

/**
 * Calls of a plane go there, and all others to the app; so does what a plane could not even begin to answer.
 */
export function besideRouter(app: Express, { v1, control }: Planes): RequestListener {
  return (request, response) => {
    const call = asCall(request);
    const instead = () => void app(call, response);
    if (call.originalUrl.startsWith('/v1/')) v1(call, response, instead);
    else if (ofControl.test(call.originalUrl)) control(call, response, instead);
    else instead();
  };
}

/** A request of a server, which always has a method and a target. */
function asCall(request: IncomingMessage): Call {
  const call = request as Call;
  if (request.url?.startsWith('/') === false) request.url = originForm(request.url, request.headers.host);
  call.originalUrl = request.url ?? '';
  return call;
}

/**
 * A client that takes us for a proxy writes the whole URL as its target, which a server has to understand (RFC 9112 §3.2.2).
 * One of another host than the call says it is for is nothing that we have.
 */
function originForm(target: string, host: string | undefined): string {
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return target;
  const asked = new URL(target);
  return asked.host === host?.toLowerCase() ? asked.pathname + asked.search : target;
}

/** Does to a call what the app does to each that it handles. */
export function asExpress(app: Express): (request: Call, response: ServerResponse) => void {
  return (request, response) => {
    Object.setPrototypeOf(request, app.request);
    Object.setPrototypeOf(response, app.response);
    Object.assign(request, { res: response });
    Object.assign(response, { req: request, locals: {} });
  };
}
