/** Endpoints, with their secrets; their certification; and the built-in receiver. */
import { transaction, type Account } from '../../account/account.js';
import type { EventType } from '../../domain/words.js';
import { showEndpoint } from '../../presenters/control/records.js';
import { registerEndpoint, removeEndpoint, resumeEndpoint, pause } from '../../webhooks/endpoints.js';
import { found, duration } from './given-values.js';
import { type ControlHandlers, TextResponse } from './handler.js';
import { ServiceError, invalidField } from '../../domain/errors.js';
import { SINK_HOST, receive } from '../../webhooks/sink.js';
import { redactedHeaders } from '../../domain/request.js';
import { longestSinkDelayMs } from '../../domain/webhook.js';
import type { SinkAnswer } from '../../domain/rows.js';
import { formatDuration } from '../../time/duration.js';
import { jsonType } from '../respond.js';
import { listRows } from './filters.js';
import { receivedList } from './lists.js';

interface EndpointInput {
  readonly url: string;
  readonly events: readonly EventType[];
  readonly secret?: string;
}

export const webhooks: ControlHandlers = {
  registerEndpoint: ({ account, body }) =>
    transaction(account, () => showEndpoint(registerEndpoint(account, body as EndpointInput, account.clock.now()))),

  removeEndpoint: ({ account, name: id }) =>
    transaction(account, () => {
      removeEndpoint(account, found(account, 'endpoints', id));
      return undefined;
    }),

  setEndpointStatus: ({ account, name: id, body }) =>
    transaction(account, () => {
      const { status } = body as { status: 'active' | 'paused' };
      const { store, scheduler, clock } = account;
      const endpoint = found(account, 'endpoints', id);
      if (status === endpoint.status) return showEndpoint(endpoint);
      if (status === 'paused') {
        pause({ store, scheduler, now: () => clock.now() }, endpoint, 'Paused through the control plane.');
      } else {
        resumeEndpoint(account, endpoint);
        store.tables.endpoints.patch(endpoint, { updatedAtMs: clock.now() });
      }
      return showEndpoint(endpoint);
    }),
};

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
        import('../../certify/receiver.js'),
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

type AnswerBody = { status: number; delay?: string; times?: number };

export const sink: ControlHandlers = {
  receiveAtSink: {
    body: 'text',
    run: async ({ account, name, body, headers, service }) => {
      const call = {
        name,
        path: `/${name}`,
        headers: redactedHeaders(headers),
        body: typeof body === 'string' ? body : '',
      };
      const { request, answer } = receive(account, call);
      if (answer.delayMs > 0) {
        // Here, and wherever a response is delayed, its connection keeps the process alive; without the connection, the
        // timer must not.
        await new Promise<void>((resolve) => service.host.setTimer(answer.delayMs, resolve, { unref: true }));
      }
      const shown = { received: request.seq, signature_valid: request.signatureValid };
      return new TextResponse(JSON.stringify(shown), jsonType, answer.status);
    },
  },

  setSinkAnswers: ({ account, name, body }) => {
    const { respond } = body as { respond: AnswerBody[] };
    const answers: SinkAnswer[] = respond.map(({ status, delay, times }, i) => ({
      status,
      delayMs: delay === undefined ? 0 : delayMsOf(delay, `respond[${i}].delay`),
      times: times ?? null,
    }));
    const { sinks } = account.store.tables;
    account.store.update(() => {
      const known = sinks.get(name);
      if (known) sinks.patch(known, { answers, served: 0 });
      else sinks.insert({ id: name, seq: account.store.nextSeq(), answers, served: 0 });
    });
    return { name, respond: answers.map(showAnswer) };
  },

  listSinkReceived: (context) => listRows(receivedList(context.name), context),
};

/**
 * A socket stays open for it, so it is limited.
 * @throws ServiceError `validation_error`
 */
function delayMsOf(delay: string, field: string): number {
  const delayMs = duration(field, delay);
  if (delayMs <= longestSinkDelayMs) return delayMs;
  const message = `must be at most ${formatDuration(longestSinkDelayMs)} (real time, because a socket waits for it); found ${delay}`;
  throw invalidField(field, message);
}

function showAnswer({ status, delayMs, times }: SinkAnswer) {
  return { status, delay: formatDuration(delayMs), ...(times !== null && { times }) };
}
