/**
 * Makes the calls to the messaging service. A call never throws because of the network or the service. Its outcome
 * says whether the call can be repeated:
 *
 * - `done`: it was processed.
 * - `refused`: it was rejected. The same call cannot succeed.
 * - `later`: it was not processed, but may succeed later: 429, 503, or no connection. Repeat it after `afterMs`.
 * - `uncertain`: the outcome is unknown, because the connection broke, the response was lost or invalid, or the
 *   service failed. A message has no idempotency key, so repeating it at once could send it twice. The outbox first
 *   waits for an event.
 *
 * @typedef {{ kind: 'done', body: Record<string, any> }
 *   | { kind: 'refused', status: number, code: string, why: string }
 *   | { kind: 'later', afterMs: number | null, limited: boolean, why: string }
 *   | { kind: 'uncertain', why: string }} Outcome
 *
 * @typedef {ReturnType<typeof createApi>} Api
 */
import { parseObject } from './body.js';

/** Errors that occur before any byte was sent. */
const NOBODY_THERE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/** @param {{ baseUrl: string, apiKey: string, clock: import('./clock.js').Clock, timeoutMs: number }} settings */
export function createApi({ baseUrl, apiKey, clock, timeoutMs }) {
  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   * @returns {Promise<Outcome>}
   */
  async function call(method, path, body) {
    const what = `${method} ${path}`;
    let answer, text;
    try {
      answer = await fetch(baseUrl + path, {
        method,
        headers: { Authorization: `Bearer ${apiKey}`, ...(body && { 'Content-Type': 'application/json' }) },
        body: body && JSON.stringify(body),
        // Following a redirect would send the key to another server.
        redirect: 'error',
        signal: clock.limit(timeoutMs),
      });
      text = await answer.text();
    } catch (error) {
      const code = error instanceof Error ? Object(error.cause).code : undefined;
      const why = `${what}: ${code ?? error}`;
      if (NOBODY_THERE.has(code)) return { kind: 'later', afterMs: null, limited: false, why };
      return { kind: 'uncertain', why };
    }
    const found = parseObject(text);
    const why = `${what} answered ${answer.status} ${found?.error?.code ?? ''}`.trim();
    if (answer.ok) return found ? { kind: 'done', body: found } : { kind: 'uncertain', why: `${why}, no JSON` };
    const code = typeof found?.error?.code === 'string' ? found.error.code : '';
    // A locked code is not a rate limit, whatever its status: waiting does not help.
    const limited = answer.status === 429 && code !== 'otp_max_attempts';
    if (limited || answer.status === 503) {
      return { kind: 'later', afterMs: retryAfterMs(answer.headers.get('retry-after')), limited, why };
    }
    if (answer.status >= 500) return { kind: 'uncertain', why };
    return { kind: 'refused', status: answer.status, code, why: `${why}: ${found?.error?.message ?? text}` };
  }

  /** @param {string | null} header seconds, or a date */
  function retryAfterMs(header) {
    if (header === null) return null;
    const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - clock.now();
    return Number.isFinite(ms) ? Math.max(ms, 0) : null;
  }

  return {
    /** @param {object} message */
    sendMessage: (message) => call('POST', '/v1/messages', message),
    /** @param {string} id */
    lookUpMessage: (id) => call('GET', `/v1/messages/${encodeURIComponent(id)}`),
    /** @param {object} template */
    submitTemplate: (template) => call('POST', '/v1/templates', template),
    listTemplates: () => call('GET', '/v1/templates'),
    /** @param {string} url @param {readonly string[]} events */
    registerWebhook: (url, events) => call('POST', '/v1/webhooks', { url, events }),
    listWebhooks: () => call('GET', '/v1/webhooks'),
    /** @param {string} to @param {string} template */
    sendCode: (to, template) => call('POST', '/v1/otp/send', { to, template }),
    /** @param {string} otpId @param {string} code */
    verifyCode: (otpId, code) => call('POST', '/v1/otp/verify', { otp_id: otpId, code }),
  };
}

/**
 * Delay before try number `tries + 1`: as long as the service asks for, otherwise 1 s, 2 s, 4 s … up to a quarter of an
 * hour.
 * @param {Outcome} outcome @param {number} tries
 */
export function delayMs(outcome, tries) {
  const asked = outcome.kind === 'later' ? outcome.afterMs : null;
  return asked ?? Math.min(1000 * 2 ** (tries - 1), 900_000);
}
