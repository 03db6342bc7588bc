/** What happened, as a scenario, a test or an archive. */
import type { RecordFormat } from '../../record/record.js';
import { inTurns } from '../../time/turns.js';
import { calledUrl, TextResponse, type ControlHandlers } from './handler.js';

export const recordings: ControlHandlers = {
  getRecording: async (context) => {
    const { account, query, service } = context;
    const { record } = await import('../../record/record.js');
    const steps = record(account, {
      format: query['format'] as RecordFormat,
      from: query['from'] as number | undefined,
      to: query['to'] as number | undefined,
      url: calledUrl(context),
      version: service.version,
    });
    const { text, contentType } = await inTurns(steps, service.host);
    return new TextResponse(text, contentType);
  },
};
