import type { Api, Delivery, Event, HandsetMessage, Job } from '../../core/index.js';
import { type JournalRequest, model, type Noun, type Otp, shortUrl, useRead } from '../../core/index.js';
import { phoneOf } from './words.js';

const storyNouns: readonly Noun[] = ['message', 'otp', 'request', 'event', 'delivery', 'attempt'];

export type Story = ReturnType<typeof useStory>;

export interface Entry {
  readonly key: string;
  readonly atMs: number;
  readonly kind: 'request' | 'message' | 'code' | 'event' | 'attempt' | 'reply';
  readonly title: string;
  readonly detail?: string | null | undefined;
  readonly tone?: 'good' | 'bad' | 'warn' | 'off';
  /** The place that shows it, then the path. */
  readonly link?: readonly [place: string, ...path: string[]];
  readonly realMs?: number;
  readonly ahead?: boolean;
}

/** At the same instant, a call comes first, then its changes, then the events about them. */
const ranks = { request: 0, message: 1, code: 2, event: 3, attempt: 4, reply: 5 } as const;

export function traceOf({ requests }: Pick<Story, 'requests'>): string | null {
  const parents = requests.map(({ request }) => request.headers['traceparent']);
  return parents.find((parent) => typeof parent === 'string')?.split('-')[1] ?? null;
}

export function entriesOf({ message, otp, requests, events, deliveries, replies, jobs }: Story): Entry[] {
  return [
    ...requests.map(requestEntry),
    ...messageEntries(message),
    ...(otp ? codeEntries(otp) : []),
    ...events.map(eventEntry),
    ...deliveries.flatMap(attemptEntries),
    ...replies.map(replyEntry),
    ...jobs.map(jobEntry),
  ].toSorted((a, b) => a.atMs - b.atMs || ranks[a.kind] - ranks[b.kind]);
}

export function entryOf(kind: Entry['kind'], key: string, at: string, title: string, rest: Partial<Entry> = {}): Entry {
  return { key: `${kind} ${key}`, atMs: Date.parse(at), kind, title, ...rest };
}

function requestEntry({ id, at, operation, method, path, status, result, ...rest }: JournalRequest): Entry {
  const { duration_ms: realMs, error } = rest;
  // A wrong code is the one result of a success.
  const tone = status !== null && status < 300 && !result ? 'off' : 'bad';
  const title = `${method} ${path}: ${status ?? 'no response'}`;
  const kind = operation === 'verifyOtp' ? 'code' : 'request';
  return entryOf(kind, id, at, title, { detail: result ?? error, tone, link: ['requests', id], realMs });
}

const hands = { command: 'by a command', timeline: 'by the timeline' } as const;

function messageEntries({ history }: HandsetMessage): Entry[] {
  return history.map((step, index) => {
    const { status, at } = step;
    const error = 'error' in step ? step.error : undefined;
    return entryOf('message', String(index), at, status === 'received' ? 'Customer writes' : `Message ${status}`, {
      detail: error ? error.code : 'by' in step ? hands[step.by] : null,
      tone: status === 'failed' ? 'bad' : 'off',
    });
  });
}

function codeEntries({ otp_id: id, verified_at: verified, expires_at: expires, state }: Otp): Entry[] {
  const link = ['messages', 'codes', id] as const;
  if (verified !== null) return [entryOf('code', 'verified', verified, 'Code verified', { tone: 'good', link })];
  if (state === 'locked') return [];
  const ahead = state === 'active';
  return [entryOf('code', 'expires', expires, ahead ? 'Code expires' : 'Code expired', { link, ahead })];
}

function eventEntry({ id, type, created_at: at, data }: Event): Entry {
  const { status } = data as { status?: unknown };
  const words = typeof status === 'string' && type !== 'message.received' ? `${type} ${status}` : type;
  return entryOf('event', id, at, `Event ${words}`);
}

function attemptEntries(delivery: Delivery): Entry[] {
  const { id, url, attempts, next_attempt_at: next, state, created_at: created, explain } = delivery;
  const target = shortUrl(url);
  const link = ['webhooks', 'deliveries', id] as const;
  const made = attempts.map(({ number, at, status, error, reason, duration_ms: realMs, faults = [] }) =>
    entryOf('attempt', `${id} ${number}`, at, `Attempt ${number} to ${target}: ${status ?? 'no response'}`, {
      detail: [...faults.map((fault) => fault.replaceAll('_', ' ')), ...(reason ? [reason] : [])].join(' · '),
      tone: error === undefined ? 'off' : 'bad',
      link: [...link, String(number)],
      realMs,
    }),
  );
  if (next !== null) {
    const title = `Attempt ${(attempts.at(-1)?.number ?? 0) + 1} to ${target}`;
    return [...made, entryOf('attempt', `${id} next`, next, title, { link, ahead: true })];
  }
  if (state !== 'held' && state !== 'dropped' && state !== 'failed') return made;
  const rest = { detail: explain?.text, tone: 'warn', link } as const;
  return [
    ...made,
    entryOf('attempt', `${id} end`, attempts.at(-1)?.at ?? created, `Delivery to ${target} ${state}`, rest),
  ];
}

function replyEntry({ message_id: id, created_at: at, direction, text, type }: HandsetMessage): Entry {
  const title = direction === 'inbound' ? 'Customer replies' : 'Account replies';
  return entryOf('reply', id, at, title, { detail: text ?? type, link: ['messages', id] });
}

function jobEntry({ seq, job, due, status }: Job): Entry {
  const reply = job === 'customer.writes';
  const title = reply ? 'Customer replies' : `Message ${status ?? 'changes'}`;
  return entryOf(reply ? 'reply' : 'message', `job ${seq}`, due, title, { ahead: true });
}

export async function readMessage(api: Api, id: string): Promise<HandsetMessage | null> {
  // A list, which may be empty: the browser would log a failed lookup as an error.
  const query = { message_id: id, direction: 'inbound,outbound' };
  return (await api.get('/_sandbox/messages', { query })).items[0] ?? null;
}

/** The message alone at first, and what happened because of it as soon as that is read. */
export function useStory(message: HandsetMessage) {
  const { api } = model.value;
  const read = useRead(`story ${message.message_id}`, () => readStory(api, message), storyNouns).value;
  const nothing = { otp: null, requests: [], events: [], deliveries: [], replies: [], jobs: [] };
  return { ...nothing, ...read, message };
}

async function readStory(api: Api, message: HandsetMessage) {
  const id = message.message_id;
  const codeId = 'otp_id' in message ? message.otp_id : undefined;
  const phone = phoneOf(message);
  const page = { limit: 100 };
  const search = codeId ?? id;
  // Of messages, ids are compared, which is faster than a search through the texts of all deliveries.
  const [ofEvents, ofDeliveries] =
    codeId === undefined ? [{ message_id: id }, { message_id: id }] : [{ otp_id: codeId }, { search: codeId }];
  const [codes, requests, events, deliveries, later, jobs] = await Promise.all([
    codeId === undefined ? null : api.get('/_sandbox/otps', { query: { otp_id: codeId } }),
    api.get('/_sandbox/requests', { query: { search, ...page } }),
    api.get('/_sandbox/events', { query: { ...ofEvents, ...page } }),
    api.get('/_sandbox/deliveries', { query: { ...ofDeliveries, ...page } }),
    api.get('/_sandbox/customers/{phone}/messages', { path: { phone }, query: { after: message.seq, limit: 50 } }),
    api.get('/_sandbox/clock/jobs', { query: { subject: id } }),
  ]);
  // The replies end when this side sends again.
  const end = later.items.findIndex(({ direction }) => direction === message.direction);
  return {
    otp: codes?.items[0] ?? null,
    requests: requests.items,
    events: events.items,
    deliveries: deliveries.items,
    replies: later.items.slice(0, end === -1 ? undefined : end),
    jobs: jobs.items,
  };
}
