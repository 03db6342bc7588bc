/** Certifies a registered endpoint: runs every check against it, with its own secret. */
import type { Account } from '../../account/account.js';
import { ServiceError } from '../../domain/errors.js';
import { SINK_HOST } from '../../webhooks/sink.js';
import { found } from './given-values.js';
import type { ControlHandlers } from './handler.js';

/** Endpoints that are being certified: two runs at one receiver would count each other's events. */
const running = new WeakMap<Account, Set<string>>();
const stillRunning = 'This endpoint is already being certified. Wait for that call to return, then try again.';

export const certification: ControlHandlers = {
  certifyEndpoint: {
    isHarmless: true,
    run: async ({ account, name: id, service }) => {
      const { url, secret } = found(account, 'endpoints', id);
      if (new URL(url).hostname === SINK_HOST) {
        const message = `${url} is a sink of the sandbox, which accepts everything. Certify an endpoint of your own application.`;
        throw new ServiceError('validation_error', message);
      }
      // Loaded with the first run: a sandbox that certifies nothing does not need the checks.
      const [{ checks }, { certify }, { certificateJson }, { ReceiverUnreachable }] = await Promise.all([
        import('../../certify/checks.js'),
        import('../../certify/run.js'),
        import('../../certify/report.js'),
        import('../../certify/target.js'),
      ]);
      const { host, webhookTimeoutMs: timeoutMs } = service;
      // Each run has new event ids, so that a receiver that remembers ids does not treat them as duplicates of the
      // previous run.
      const seed = `${account.key} ${host.now()}`;
      const others = running.get(account) ?? new Set();
      if (others.has(id)) throw new ServiceError('certification_running', stillRunning);
      running.set(account, others.add(id));
      try {
        const sender = service.senderOf(account.key);
        const run = await certify({ url, secret, checks, sender, host, timeoutMs, seed });
        const { certified, score, required, notes, checks: played } = certificateJson(run);
        // The result without the exchanges, one of which has two megabytes.
        const shown = played.map(({ duration_ms: _duration, exchanges: _exchanges, ...check }) => check);
        return { url, certified, score, required, notes, checks: shown, unreachable: null };
      } catch (error) {
        if (!(error instanceof ReceiverUnreachable)) throw error;
        const none = { passed: 0, total: 0 };
        const nothing = { score: none, required: none, notes: [], checks: [] };
        return { url, certified: false, ...nothing, unreachable: error.message };
      } finally {
        others.delete(id);
      }
    },
  },
};
