/** What a record of any kind says of itself, in one line. */
import { shortUrl } from '../../core/words.js';
import { subjectOf } from '../webhooks/groups.js';

/**
 * @param read a record of the control plane, or a list with it alone
 * @returns such as `Message to +12025550110 failed: “Hello”` and its time; empty for what has been removed
 */
export function sentenceOf(read: unknown): { readonly words: string; readonly instant: string | null } {
  const { items } = Object(read) as { items?: readonly unknown[] };
  const record = Object(items ? items[0] : read) as Readonly<Record<string, unknown>>;
  const text = (name: string) => (typeof record[name] === 'string' ? record[name] : '');
  return { words: wordsOf(record, text), instant: text('at') || text('created_at') || null };
}

function wordsOf({ status }: Readonly<Record<string, unknown>>, text: (name: string) => string): string {
  const state = typeof status === 'number' ? String(status) : text('status') || text('state');
  const sentence = (...parts: readonly string[]) => parts.filter((part) => part !== '').join(' ');
  if (text('method')) return sentence(text('method'), text('path'), state || 'no response', text('about'));
  if (text('direction')) {
    const side = text('direction') === 'inbound' ? 'from' : 'to';
    const words = sentence('Message', side, text(side), state);
    return text('text') === '' ? words : `${words}: “${text('text')}”`;
  }
  if (text('event_type')) {
    const { words, status: reported } = subjectOf({ event_type: text('event_type'), payload: text('payload') });
    const about = words === '' ? '' : `of ${words}`;
    return sentence(text('event_type'), reported ?? '', about, 'to', shortUrl(text('url')), state);
  }
  if (text('code')) return sentence('Code to', text('to'), state);
  return sentence(text('name') || text('type') || shortUrl(text('url')), state);
}
