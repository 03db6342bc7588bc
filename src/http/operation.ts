import type { Request } from 'express';

export interface Operation {
  readonly operationId: string;
  /** GET for a HEAD call. */
  readonly method: string;
  /** As in the document, such as `/v1/messages/{message_id}`. */
  readonly path: string;
  readonly body: BodyNeed;
  readonly otherMethods: readonly string[];
}

export interface OperationCall extends Request {
  text?: string;
  operation?: Operation;
}

export type BodyNeed = 'none' | 'optional' | 'required';

export function queryText({ url }: Pick<Request, 'url'>): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}
