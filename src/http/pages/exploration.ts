/** `GET /_sandbox/explore`: the latest report of `explore`, which the command has stored there. */
import type { RequestHandler } from 'express';
import { ServiceError } from '../../domain/errors.js';
import { opensPage, unauthorized } from '../guard.js';
import { explorationPath } from './paths.js';

/** Belongs to this process, and is not stored. */
export interface ExplorationReport {
  html: string | null;
}

// The report was written by somebody else's program, so it runs in an origin of its own.
const policy = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'";

export function explorationPage(token: string | null, report: ExplorationReport): RequestHandler {
  return (request, response) => {
    if (!opensPage(request, token)) {
      throw unauthorized(`The control plane requires a token. Open ${explorationPath}?control_token=TOKEN.`);
    }
    if (report.html === null) {
      throw new ServiceError('not_found', 'There is no report yet. `messaging-sandbox explore` writes one.');
    }
    response.set({ 'Content-Security-Policy': policy, 'X-Content-Type-Options': 'nosniff' }).type('html');
    response.send(report.html);
  };
}
