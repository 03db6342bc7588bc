/** Sentences for readers of a verdict after the sandbox has ended. */
import { clipped } from '../domain/text.js';
import type { ExpectSubject } from '../language/hooks.js';
import { formatDuration } from '../time/duration.js';
import { fieldOf, momentOf, type EvidenceRecord } from './evidence.js';

const WIDEST_TEXT = 80;

export const nouns: Readonly<Record<ExpectSubject, string>> = {
  requests: 'request',
  webhooks: 'endpoint',
  attempts: 'attempt',
  deliveries: 'delivery',
  messages: 'message',
  sent: 'message',
  received: 'message',
  templates: 'template',
  otps: 'code',
  events: 'event',
};

/** `outbound text to +12025550111 at +5m: "On its way."` */
export function sayRecord(that: ExpectSubject, record: EvidenceRecord, startMs: number): string {
  const text = (name: string): string => {
    const value = fieldOf(record, name);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  // Calls that take some milliseconds more or less do not change what is said.
  const seconds = Math.floor((momentOf(record).atMs - startMs) / 1000);
  const when = 'at' in record && Number.isFinite(seconds) ? `at +${formatDuration(Math.max(0, seconds) * 1000)}` : '';
  const brackets = (...parts: string[]) => wrapped(parts.filter((part) => part !== '').join(', '));
  const words = (...parts: string[]) => parts.filter((part) => part !== '').join(' ');
  const before = (word: string, value: string) => (value === '' ? '' : `${word} ${value}`);
  const endpoint = text('alias') || text('url');
  switch (that) {
    case 'messages':
    case 'sent':
    case 'received': {
      const isInbound = text('direction') === 'inbound';
      const kind = text('template') === '' ? text('type') : `template ${text('template')}`;
      const said = contentOf(record);
      const failure = text('status') === 'failed' ? `, failed (${text('error.code')})` : '';
      const head = words(text('direction'), kind, before(isInbound ? 'from' : 'to', text('to')), when);
      return `${head}${said === '' ? '' : `: ${said}`}${failure}`;
    }
    case 'requests': {
      const to = record['to'];
      const recipients = Array.isArray(to) ? `${to.length} numbers` : text('to');
      const error = text('error');
      const result = words(text('status') || 'no response', error);
      return `${words(text('method'), text('path'), before('to', recipients), when)}: ${result}`;
    }
    case 'attempts': {
      const event = words(text('event'), brackets(text('message_status')), before('for', text('to')));
      return `${words(`attempt ${text('number')} of ${event}`, before('at', endpoint), when)}: ${statusOf(record)}`;
    }
    case 'deliveries': {
      const event = words(text('event'), brackets(text('message_status')), before('for', text('to')));
      return `${words(event, before('to', endpoint), when)}: ${text('state')}`;
    }
    case 'webhooks':
      return `endpoint ${words(endpoint, brackets(text('alias') === '' ? '' : text('url')))}: ${text('status')}`;
    case 'templates':
      return `template ${text('name')} ${brackets(text('category'), text('language'))}: ${text('status')}`;
    case 'otps':
      return `${words('code', before('to', text('to')), when)}: ${text('state')}`;
    case 'events': {
      const who = text('from') === '' ? before('for', text('to')) : before('from', text('from'));
      const said = contentOf(record);
      const head = words(text('type'), brackets(text('status') || text('name')), who, when);
      return said === '' ? head : `${head}: ${said}`;
    }
  }
}

const wrapped = (text: string): string => (text === '' ? '' : `(${text})`);

function contentOf(record: EvidenceRecord): string {
  const fields = ['text', 'interactive.title', 'interactive.body', 'media_url'];
  const said = fields.map((name) => fieldOf(record, name)).find((value) => typeof value === 'string');
  return said === undefined ? '' : JSON.stringify(clipped(said, WIDEST_TEXT));
}

/** The status of a response, or why there was none: `time-out after 10 s`. */
export function statusOf(record: EvidenceRecord): string {
  const { status, failure, error } = record;
  if (typeof status === 'number') return String(status);
  return typeof failure === 'string' ? failure : typeof error === 'string' ? error : 'no response';
}
