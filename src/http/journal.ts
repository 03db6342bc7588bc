/**
 * The journal of API-plane calls: request, answer, duration, warnings, why (contract §4). Keys are redacted on the way in.
 */
import type { Request } from 'express';
import type { RequestRecord } from '../domain/request-record.js';
import type { Exchange } from './exchange.js';

export function journalCall(
  exchange: Exchange,
  request: Request,
  answer: { status: number | null; headers: Record<string, string>; body?: unknown },
  endedMs: number,
): void {
  const { account } = exchange;
  const { requests } = account.store.tables;
  const [path = '', query] = request.originalUrl.split('?', 2);
  const body = request.body as unknown;
  const record: Omit<RequestRecord, 'seq'> = {
    id: exchange.id,
    atMs: exchange.atMs,
    operation: exchange.route?.operationId ?? null,
    method: request.method,
    path,
    status: answer.status,
    durationMs: Math.round((endedMs - exchange.startedMs) * 1000) / 1000,
    request: {
      headers: redacted(request.headers),
      ...(query !== undefined && { query }),
      ...(body !== undefined && { body }),
    },
    response: { headers: answer.headers, ...(answer.body !== undefined && { body: answer.body }) },
    warnings: exchange.warnings,
    ...(exchange.fault !== null && { fault: exchange.fault }),
    ...(exchange.error !== null && { error: exchange.error }),
    ...(exchange.explain && { explain: exchange.explain }),
  };
  account.store.update(() => {
    requests.insert({ ...record, seq: account.store.nextSeq() });
    while (requests.size > account.maxJournal) {
      const oldest = requests.all().at(0);
      if (!oldest) break;
      requests.delete(oldest);
    }
  });
}

/** Enough of a key to tell two apart, never enough to use it. */
function redacted(headers: Request['headers']): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    kept[name] =
      name === 'authorization' || name === 'proxy-authorization' || name === 'cookie' ? redactKey(text) : text;
  }
  return kept;
}

function redactKey(value: string): string {
  const [scheme = '', key = ''] = value.split(' ', 2);
  if (key === '') return '***';
  return `${scheme} ${key.length > 8 ? key.slice(0, 4) : ''}***`;
}
