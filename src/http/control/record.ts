/** What happened, as a scenario, a test or an archive. */
import type { RecordFormat } from '../../record/record.js';
import { TextAnswer, type ControlHandlers } from './handler.js';

export const recordings: ControlHandlers = {
  getRecording: async ({ account, query, headers, service }) => {
    const { record } = await import('../../record/record.js');
    const { host, port } = service.facts();
    const { text, contentType } = record(account, {
      format: query['format'] as RecordFormat,
      from: query['from'] as number | undefined,
      to: query['to'] as number | undefined,
      url: `http://${String(headers['host'] ?? `${host}:${port}`)}`,
      version: service.version,
    });
    return new TextAnswer(text, contentType);
  },
};
