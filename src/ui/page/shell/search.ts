/** Finds records of the account, places and actions. */
import { act } from '../core/api.js';
import { go, here } from '../core/location.js';
import type { AccountModel } from '../core/model.js';
import type { HandsetMessage } from '../core/records.js';
import { toggleTheme } from '../core/theme.js';
import { toast } from '../core/toasts.js';
import type { IconName } from '../parts/icon.js';
import { shownPanels } from '../panels/registry.js';
import { overlay } from './overlays.js';

export interface Hit {
  readonly group: string;
  readonly title: string;
  readonly note: string;
  readonly icon: IconName;
  readonly run: () => void;
}

/** Number of hits shown for each kind of record. */
export const mostOfKind = 5;

/** Reads the newest records of long lists, and all records of short ones. */
export function prepare(model: AccountModel): void {
  for (const list of [model.customers, model.templates, model.otps, model.webhooks]) list.ensureAll();
  for (const list of [model.requests, model.deliveries]) list.ensure();
}

/** Returns the actions that match the query. */
export function actionHits(model: AccountModel, query: string): Hit[] {
  return actionsOf(model).filter(({ title, note }) => hasWords(`${title} ${note}`, query));
}

function actionsOf(model: AccountModel): Hit[] {
  const group = 'Actions';
  return [
    ...shownPanels.map(({ id, title, icon }) => ({
      group,
      title: `Go to ${title}`,
      note: '',
      icon,
      run: () => go(here(id)),
    })),
    { group, title: 'Advance to the next retry', note: 'clock', icon: 'forward', run: () => void toNextRetry(model) },
    {
      group,
      title: 'Advance to the next job',
      note: 'clock',
      icon: 'next',
      run: () => model.advances.start({ until: 'next' }),
    },
    ...(['1m', '1h', '24h'] as const).map((by): Hit => ({
      group,
      title: `Advance by ${by}`,
      note: 'clock',
      icon: 'clock',
      run: () => model.advances.start({ by }),
    })),
    { group, title: 'Freeze the clock', note: '', icon: 'pause', run: () => void setMode(model, 'frozen') },
    { group, title: 'Run the clock in real time', note: '', icon: 'play', run: () => void setMode(model, 'real') },
    {
      group,
      title: 'Open the documentation',
      note: 'help',
      icon: 'help',
      run: () => void open('/_sandbox/docs/README.md', '_blank', 'noreferrer'),
    },
    { group, title: 'Show the keys', note: '?', icon: 'key', run: () => (overlay.value = 'keys') },
    { group, title: 'Switch between light and dark theme', note: '', icon: 'moon', run: toggleTheme },
  ];
}

async function toNextRetry(model: AccountModel): Promise<void> {
  const list = await act(model.api.get('/_sandbox/deliveries', { query: { state: 'retrying', limit: 1000 } }));
  if (!list) return;
  const [next] = list.items.flatMap(({ next_attempt_at: at }) => at ?? []).sort();
  if (next === undefined) toast('bad', 'No delivery is waiting for a retry.');
  else model.advances.start({ to: next });
}

async function setMode(model: AccountModel, mode: 'frozen' | 'real'): Promise<void> {
  const clock = await act(model.api.put('/_sandbox/clock', { body: { mode } }));
  if (clock) model.clock.set(clock);
}

/** Returns the loaded records that contain the query, newest first, a few of each kind. */
export function recordHits(model: AccountModel, query: string): Hit[] {
  const of = <T>(rows: readonly T[], texts: (row: T) => readonly (string | null)[], hit: (row: T) => Hit): Hit[] => {
    const hits: Hit[] = [];
    for (let at = rows.length - 1; at >= 0 && hits.length < mostOfKind; at -= 1) {
      const row = rows[at];
      if (row !== undefined && texts(row).some((text) => holds(text, query))) hits.push(hit(row));
    }
    return hits;
  };
  return [
    ...of(
      model.customers.rows,
      ({ phone, profile_name: name }) => [phone, name],
      ({ phone, profile_name: name }) => ({
        group: 'Customers',
        title: name ?? phone,
        note: name === null ? '' : phone,
        icon: 'person',
        run: () => go(here('handset', [phone])),
      }),
    ),
    ...of(
      model.templates.rows,
      ({ id, name, body }) => [id, name, body],
      ({ id, name, language, status }) => ({
        group: 'Templates',
        title: name,
        note: `${language} · ${status}`,
        icon: 'template',
        run: () => go(here('templates', [id])),
      }),
    ),
    ...of(
      model.otps.rows,
      ({ otp_id: id, to, code }) => [id, to, code],
      ({ otp_id: id, to, code }) => ({
        group: 'Codes',
        title: code,
        note: `${to} · ${id}`,
        icon: 'key',
        run: () => go(here('codes', [id])),
      }),
    ),
    ...of(
      model.webhooks.rows,
      ({ id, url }) => [id, url],
      ({ id, url, status }) => ({
        group: 'Endpoints',
        title: url,
        note: status,
        icon: 'webhook',
        run: () => go(here('webhooks', ['endpoints', id])),
      }),
    ),
    ...of(
      model.requests.rows,
      ({ id, path, error, request }) => [id, path, error ?? null, JSON.stringify(request.body ?? null)],
      ({ id, method, path, status }) => ({
        group: 'Requests',
        title: `${method} ${path}`,
        note: `${status ?? 'no response'} · ${id}`,
        icon: 'requests',
        run: () => go(here('requests', [id])),
      }),
    ),
    ...of(
      model.deliveries.rows,
      ({ id, event_id: event, payload }) => [id, event, payload],
      ({ id, event_type: type, state, url }) => ({
        group: 'Deliveries',
        title: `${type} to ${url}`,
        note: `${state} · ${id}`,
        icon: 'webhook',
        run: () => go(here('webhooks', ['deliveries', id])),
      }),
    ),
  ];
}

/** Asks the sandbox for messages in both directions, by text or id, because there may be any number of them. */
export async function messageHits(model: AccountModel, query: string): Promise<Hit[]> {
  const page = { order: 'desc' as const, limit: mostOfKind };
  // A query that the filters reject, such as one that is too long, finds nothing.
  const lists = await Promise.all(
    [{ text: `*${query}*` }, { text: `*${query}*`, direction: 'inbound' as const }, { message_id: query }].map(
      (filter) => model.api.get('/_sandbox/messages', { query: { ...page, ...filter } }).catch(() => ({ items: [] })),
    ),
  );
  const found = new Map(lists.flatMap(({ items }) => items.map((row) => [row.message_id, row] as const)));
  const newest = [...found.values()].sort((a, b) => b.seq - a.seq).slice(0, mostOfKind);
  return newest.map((message) => {
    const phone = message.direction === 'inbound' ? message.from : message.to;
    return {
      group: 'Messages',
      title: wordsOf(message),
      note: message.direction === 'inbound' ? `from ${phone}` : `to ${phone} · ${message.status}`,
      icon: 'chat',
      run: () => go(here('handset', [phone, message.message_id])),
    };
  });
}

function wordsOf(message: HandsetMessage): string {
  return message.text ?? message.type;
}

/** Returns links to the lists, whose own search finds records of any age. */
export function furtherHits(query: string): Hit[] {
  const places = [
    ['requests', [], 'requests', 'requests'],
    ['webhooks', ['deliveries'], 'deliveries', 'webhook'],
  ] as const;
  return places.map(([panel, path, noun, icon]) => ({
    group: 'Search everything',
    title: `Search all ${noun} for “${query}”`,
    note: '',
    icon,
    run: () => go(here(panel, path, { q: query })),
  }));
}

function holds(text: string | null, query: string): boolean {
  return text?.toLowerCase().includes(query.toLowerCase()) ?? false;
}

/** Whether each word of the query is the beginning of a word of the text. */
export function hasWords(text: string, query: string): boolean {
  const words = text.toLowerCase().split(/\s+/);
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)));
}
