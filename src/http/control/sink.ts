import { invalidField } from '../../domain/errors.js';
import { mustBe } from '../../domain/must-be.js';
import { redactedHeaders } from '../../domain/request.js';
import type { SinkAnswer } from '../../domain/rows.js';
import { longestSinkDelayMs } from '../../domain/limits.js';
import { formatDuration } from '../../time/duration.js';
import { receive, requireRoomForSink } from '../../webhooks/direct.js';
import type { ControlHandlers } from './handler.js';
import { duration } from './values.js';

interface SinkInput {
  readonly respond: readonly { readonly status: number; readonly delay?: string; readonly times?: number }[];
}

export const sink: ControlHandlers = {
  receiveAtSink: {
    body: 'text',
    run: async ({ account, name, body, request: { headers }, response, service: { host } }) => {
      const text = typeof body === 'string' ? body : '';
      const { request, answer } = receive(account, {
        ...{ name, path: `/${name}` },
        headers: redactedHeaders(headers),
        body: text,
      });
      if (answer.delayMs > 0) {
        // Here, and wherever a response is delayed, its connection keeps the process alive; without the connection, the
        // timer must not.
        await new Promise<void>((resolve) => host.setTimer(answer.delayMs, resolve, { unref: true }));
      }
      response.status(answer.status);
      return { received: request.seq, signature_valid: request.signatureValid };
    },
  },

  setSinkAnswers: ({ account: { store }, name, body }) => {
    const answers = (body as SinkInput).respond.map(({ status, delay = '0s', times = null }, i): SinkAnswer => {
      const delayMs = duration(`respond[${i}].delay`, delay);
      if (delayMs <= longestSinkDelayMs) return { status, delayMs, times };
      const most = formatDuration(longestSinkDelayMs);
      const allowed = `at most ${most} (real time, because a socket waits for it)`;
      throw invalidField(`respond[${i}].delay`, mustBe(allowed, delay));
    });
    const { sinks } = store.tables;
    requireRoomForSink(store, name);
    store.update(() => {
      const known = sinks.get(name);
      if (known) sinks.patch(known, { answers, served: 0 });
      else sinks.insert({ id: name, seq: store.nextSeq(), answers, served: 0 });
    });
    const respond = answers.map(({ status, delayMs, times }) => {
      return { status, delay: formatDuration(delayMs), ...(times !== null && { times }) };
    });
    return { name, respond };
  },
};
