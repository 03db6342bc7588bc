/** The built-in receiver. */
import { invalidField } from '../../domain/errors.js';
import { redactedHeaders } from '../../domain/request.js';
import { longestSinkDelayMs } from '../../domain/webhook.js';
import type { SinkAnswer } from '../../domain/rows.js';
import { formatDuration } from '../../time/duration.js';
import { receive } from '../../webhooks/sink.js';
import { jsonType } from '../respond.js';
import { duration } from './given-values.js';
import { listRows } from './filters.js';
import { TextResponse, type ControlHandlers } from './handler.js';
import { receivedList } from './lists.js';

type AnswerBody = { status: number; delay?: string; times?: number };

export const sink: ControlHandlers = {
  receiveAtSink: {
    body: 'text',
    run: async ({ account, name, body, headers, service }) => {
      const call = {
        method: 'POST',
        path: `/${name}`,
        headers: redactedHeaders(headers),
        body: typeof body === 'string' ? body : '',
      };
      const { request, answer } = receive(account, name, call);
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
