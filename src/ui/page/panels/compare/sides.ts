/** Reads the two records to compare: a call of the journal, or an attempt of a delivery. */
import type { Delivery, JournalRequest } from '../../core/records.js';
import { bodyText } from '../requests/call.js';

/** One of the two, as text. */
export interface Side {
  readonly title: string;
  readonly at: string;
  readonly panel: string;
  readonly path: readonly string[];
  readonly parts: Readonly<Record<Part, string>>;
}

export const partNames = ['Request body', 'Response body', 'Request headers', 'Response headers'] as const;
export type Part = (typeof partNames)[number];

type Headers = Readonly<Record<string, string | readonly string[]>>;

export function sideOfRequest(call: JournalRequest): Side {
  const { id, at, method, path, status, request, response } = call;
  const body = response?.body ?? null;
  return {
    title: `${method} ${path} · ${status ?? 'no response'}`,
    at,
    panel: 'requests',
    path: [id],
    parts: {
      'Request body': bodyText(request) ?? '',
      'Response body': body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body),
      'Request headers': headerLines(request.headers),
      'Response headers': headerLines(response?.headers ?? {}),
    },
  };
}

/** @param number of the attempt; the latest by default */
export function sideOfDelivery(delivery: Delivery, number?: string): Side {
  const { id, event_type: type, attempts, payload, created_at: created } = delivery;
  const attempt = attempts.find((each) => String(each.number) === number) ?? attempts.at(-1);
  const result = attempt ? `attempt ${attempt.number} · ${attempt.status ?? 'no response'}` : 'no attempt yet';
  return {
    title: `${type}, ${result}`,
    at: attempt?.at ?? created,
    panel: 'webhooks',
    path: ['deliveries', id, ...(attempt ? [String(attempt.number)] : [])],
    parts: {
      'Request body': attempt?.request.body ?? payload ?? '',
      'Response body': attempt?.response?.body ?? '',
      'Request headers': headerLines(attempt?.request.headers ?? {}),
      'Response headers': headerLines(attempt?.response?.headers ?? {}),
    },
  };
}

function headerLines(headers: Headers): string {
  return Object.entries(headers)
    .flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}`))
    .sort()
    .join('\n');
}
