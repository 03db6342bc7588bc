/**
 * Who may talk to the sandbox at all (contract §9): no foreign Host (DNS rebinding), no foreign Origin on what changes
 * state (cross-site requests), and the control token where one is set.
 */
import { timingSafeEqual, createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { ServiceError } from '../domain/errors.js';
import { isAddress, isLocalName } from '../domain/host-name.js';
import { asWritten, bearerKey, unauthorized } from './api/auth.js';
import type { Step } from './api/request-context.js';

/** The host without its port, lower case; null when the header is missing or no host (a path or a user is no part of one). */
function hostOf(header: string | undefined): string | null {
  if (header === undefined || /[/\\?#@]/.test(header) || !URL.canParse(`http://${header}`)) return null;
  return new URL(`http://${header}`).hostname.replace(/^\[|\]$/g, '').toLowerCase();
}

/** @throws ServiceError `forbidden` */
export function checkHost(request: IncomingMessage, allowed: readonly string[]): void {
  const host = hostOf(request.headers.host);
  if (host !== null && (isAddress(host) || isLocalName(host) || allowed.includes(host))) return;
  throw new ServiceError(
    'forbidden',
    request.headers.host === undefined
      ? 'This call names no host, so nobody can tell whom it was meant for. Send a Host header, such as "Host: localhost".'
      : `This call came for the host "${request.headers.host}", which is no address and no local name. Start with --allowed-hosts to allow it.`,
  );
}

/** @throws ServiceError `forbidden` when a page of another origin sends what would change state */
export function checkOrigin(request: IncomingMessage): void {
  const { origin, host } = request.headers;
  if (origin === undefined) return;
  if (URL.canParse(origin) && new URL(origin).host === host) return;
  throw new ServiceError('forbidden', `A page of ${origin} may not call this sandbox from a browser.`);
}

/** The header that carries the control token. */
export const tokenHeader = 'x-sandbox-token';

/** Either the token's own header, or the token as the Bearer key (which then names the default account). */
export function holdsToken(request: IncomingMessage, token: string): boolean {
  const header = request.headers[tokenHeader];
  const given = typeof header === 'string' ? asWritten(header) : bearerKey(request.headers.authorization);
  return given !== null && isToken(given, token);
}

/** Whether a page may be opened: a browser that goes to an address can send no header, so the query may hold the token too. */
export function opensPage(request: Request, token: string | null): boolean {
  if (token === null || holdsToken(request, token)) return true;
  const given = request.query['control_token'];
  return typeof given === 'string' && isToken(given, token);
}

/** In constant time, whatever the lengths. */
export function isToken(given: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

export function hostStep(allowed: readonly string[]): Step {
  // Nearly every call comes for the same host; it is judged once.
  let accepted: string | null = null;
  return (request, _response, next) => {
    if (request.headers.host !== accepted) {
      checkHost(request, allowed);
      accepted = request.headers.host ?? null;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') checkOrigin(request);
    next();
  };
}

export function tokenStep(token: string | null): Step {
  return (request, _response, next) => {
    if (token !== null && !holdsToken(request, token)) {
      throw unauthorized('The control plane of this sandbox is guarded; send its token as X-Sandbox-Token.');
    }
    next();
  };
}
