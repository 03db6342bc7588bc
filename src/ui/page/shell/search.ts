/** Finds records of the account, places and actions. */
import { act } from '../core/api.js';
import { go, here } from '../core/location.js';
import type { AccountModel } from '../core/model.js';
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
  readonly run: () => unknown;
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

function action(title: string, icon: IconName, run: () => unknown, note = ''): Hit {
  return { group: 'Actions', title, note, icon, run };
}

function actionsOf(model: AccountModel): Hit[] {
  const { advances } = model;
  return [
    ...shownPanels.map(({ id, title, icon }) => action(`Go to ${title}`, icon, () => go(here(id)))),
    action('Advance to the next retry', 'forward', () => toNextRetry(model), 'clock'),
    action('Advance to the next job', 'next', () => advances.start({ until: 'next' }), 'clock'),
    ...['1m', '1h', '24h'].map((by) => action(`Advance by ${by}`, 'clock', () => advances.start({ by }), 'clock')),
    action('Freeze the clock', 'pause', () => setMode(model, 'frozen')),
    action('Run the clock in real time', 'play', () => setMode(model, 'real')),
    action('Open the documentation', 'help', () => open('/_sandbox/docs/README.md', '_blank', 'noreferrer'), 'help'),
    action('Show the keys', 'key', () => (overlay.value = 'keys'), '?'),
    action('Switch between light and dark theme', 'moon', toggleTheme),
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
  const of = <T>(
    group: string,
    icon: IconName,
    rows: readonly T[],
    texts: (row: T) => readonly (string | null)[],
    shown: (row: T) => readonly [title: string, note: string, href: string],
  ): Hit[] => {
    const hits: Hit[] = [];
    for (let at = rows.length - 1; at >= 0 && hits.length < mostOfKind; at -= 1) {
      const row = rows[at];
      if (row === undefined || !texts(row).some((text) => holds(text, query))) continue;
      const [title, note, href] = shown(row);
      hits.push({ group, title, note, icon, run: () => go(href) });
    }
    return hits;
  };
  return [
    ...of(
      'Customers',
      'person',
      model.customers.rows,
      ({ phone, profile_name: name }) => [phone, name],
      ({ phone, profile_name: name }) => [name ?? phone, name === null ? '' : phone, here('handset', [phone])],
    ),
    ...of(
      'Templates',
      'template',
      model.templates.rows,
      ({ id, name, body }) => [id, name, body],
      ({ id, name, language, status }) => [name, `${language} · ${status}`, here('templates', [id])],
    ),
    ...of(
      'Codes',
      'key',
      model.otps.rows,
      ({ otp_id: id, to, code }) => [id, to, code],
      ({ otp_id: id, to, code }) => [code, `${to} · ${id}`, here('codes', [id])],
    ),
    ...of(
      'Endpoints',
      'webhook',
      model.webhooks.rows,
      ({ id, url }) => [id, url],
      ({ id, url, status }) => [url, status, here('webhooks', ['endpoints', id])],
    ),
    ...of(
      'Requests',
      'requests',
      model.requests.rows,
      ({ id, path, error, request }) => [id, path, error ?? null, JSON.stringify(request.body ?? null)],
      ({ id, method, path, status }) => [
        `${method} ${path}`,
        `${status ?? 'no response'} · ${id}`,
        here('requests', [id]),
      ],
    ),
    ...of(
      'Deliveries',
      'webhook',
      model.deliveries.rows,
      ({ id, event_id: event, payload }) => [id, event, payload],
      ({ id, event_type: type, state, url }) => [
        `${type} to ${url}`,
        `${state} · ${id}`,
        here('webhooks', ['deliveries', id]),
      ],
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
      title: message.text ?? message.type,
      note: message.direction === 'inbound' ? `from ${phone}` : `to ${phone} · ${message.status}`,
      icon: 'chat',
      run: () => go(here('handset', [phone, message.message_id])),
    };
  });
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
