import { transaction, type Account } from '../../account/account.js';
import { ServiceError } from '../../domain/errors.js';
import type { EventType } from '../../domain/words.js';
import { SINK_HOST } from '../../webhooks/direct.js';
import { registerEndpoint, removeEndpoint, resumeEndpoint } from '../../webhooks/endpoints.js';
import { pause } from '../../webhooks/outcome.js';
import type { ControlContext, ControlHandlers } from './handler.js';
import { show } from './show.js';
import { found } from './values.js';

interface EndpointInput {
  readonly url: string;
  readonly events: readonly EventType[];
  readonly secret?: string;
}

/** Endpoints that are being certified: two runs at one receiver would count each other's events. */
const running = new WeakMap<Account, Set<string>>();

export const webhooks: ControlHandlers = {
  registerEndpoint: ({ account, body }) =>
    transaction(account, () => show.endpoint(registerEndpoint(account, body as EndpointInput))),

  removeEndpoint: ({ account, name: id }) =>
    transaction(account, () => {
      removeEndpoint(account, found(account, 'endpoints', id));
      return undefined;
    }),

  setEndpointStatus: ({ account, name: id, body }) =>
    transaction(account, () => {
      const { store, clock } = account;
      const { status } = body as { status: 'active' | 'paused' };
      const endpoint = found(account, 'endpoints', id);
      if (status !== endpoint.status && status === 'paused') {
        pause(account, endpoint, 'Paused through the control plane.');
      } else if (status !== endpoint.status) {
        resumeEndpoint(account, endpoint);
        store.tables.endpoints.patch(endpoint, { updatedAtMs: clock.now() });
      }
      return show.endpoint(endpoint);
    }),

  certifyEndpoint: {
    isHarmless: true,
    run: async (context) => {
      const { account, name: id } = context;
      const { url, secret } = found(account, 'endpoints', id);
      if (new URL(url).hostname === SINK_HOST) {
        const message = `${url} is a sink of the sandbox, which accepts everything. Certify an endpoint of your application.`;
        throw new ServiceError('validation_error', message);
      }
      const others = running.get(account) ?? new Set();
      if (others.has(id)) {
        const message = 'This endpoint is already being certified. Wait for that call to return, then try again.';
        throw new ServiceError('certification_running', message);
      }
      running.set(account, others.add(id));
      try {
        return await certificateOf(context, url, secret);
      } finally {
        others.delete(id);
      }
    },
  },
};

async function certificateOf({ account, service }: ControlContext, url: string, secret: string) {
  // Loaded with the first run: a sandbox that certifies nothing does not need the checks.
  const [{ checks }, { certify }, { certificateJson }, { ReceiverUnreachable }] = await Promise.all([
    import('../../certify/checks.js'),
    import('../../certify/run.js'),
    import('../../certify/report.js'),
    import('../../certify/receiver.js'),
  ]);
  const { host, webhookTimeoutMs: timeoutMs } = service;
  // Each run has new event ids, so that a receiver that remembers ids does not treat them as duplicates of the previous
  // run.
  const seed = `${account.key} ${host.now()}`;
  try {
    const run = await certify({
      url,
      secret,
      checks,
      sender: service.senderOf(account.key),
      host,
      timeoutMs,
      seed,
      dialect: account.dialect,
    });
    const { certified, score, required, notes, checks: played } = certificateJson(run);
    // The result without the exchanges, one of which has two megabytes.
    const shown = played.map(({ duration_ms: _duration, exchanges: _exchanges, ...check }) => check);
    return { url, certified, score, required, notes, checks: shown, unreachable: null };
  } catch (error) {
    if (!(error instanceof ReceiverUnreachable)) throw error;
    const none = { passed: 0, total: 0 };
    return { url, certified: false, score: none, required: none, notes: [], checks: [], unreachable: error.message };
  }
}
