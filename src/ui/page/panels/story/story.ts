/** Everything that happened because of one message, code or event, as entries of a timeline. */
import type { Delivery, Event, HandsetMessage, Job, JournalRequest, Otp } from '../../core/records.js';

/** The records that a story is built from. */
export interface StoryParts {
  /** Null for an event that no message caused. */
  readonly message: HandsetMessage | null;
  readonly otp: Otp | null;
  readonly requests: readonly JournalRequest[];
  readonly events: readonly Event[];
  readonly deliveries: readonly Delivery[];
  /** The next messages from the other side. */
  readonly replies: readonly HandsetMessage[];
  readonly jobs: readonly Job[];
}

type Tone = 'good' | 'bad' | 'warn' | 'plain';

export interface Entry {
  readonly key: string;
  readonly atMs: number;
  readonly kind: 'request' | 'message' | 'event' | 'attempt' | 'reply' | 'code';
  readonly title: string;
  readonly detail: string | null;
  readonly tone: Tone;
  /** The panel that shows it, then the path. */
  readonly place: readonly [panel: string, ...path: string[]] | null;
  /** Its duration in real milliseconds. */
  readonly realMs: number | null;
  /** Whether it is still to come. */
  readonly ahead: boolean;
}

/** At the same instant, a call comes first, then its changes, then the events about them. */
const ranks: Readonly<Record<Entry['kind'], number>> = {
  request: 0,
  message: 1,
  code: 1,
  event: 2,
  attempt: 3,
  reply: 4,
};

/** Returns the id of the distributed trace of the first traced call; null if no call was traced. */
export function traceOf({ requests }: StoryParts): string | null {
  const parents = requests.map(({ request }) => request.headers['traceparent']);
  return parents.find((parent) => typeof parent === 'string')?.split('-')[1] ?? null;
}

/** Oldest first. */
export function entriesOf(parts: StoryParts): Entry[] {
  const { message, otp, requests, events, deliveries, replies, jobs } = parts;
  const entries = [
    ...requests.map(requestEntry),
    ...(message ? messageEntries(message) : []),
    ...(otp ? codeEntries(otp) : []),
    ...events.map(eventEntry),
    ...deliveries.flatMap(attemptEntries),
    ...replies.map(replyEntry),
    ...jobs.map(jobEntry),
  ];
  return entries
    .map((entry, index) => ({ entry, index }))
    .sort((a, b) => a.entry.atMs - b.entry.atMs || ranks[a.entry.kind] - ranks[b.entry.kind] || a.index - b.index)
    .map(({ entry }) => entry);
}

function plain(kind: Entry['kind'], key: string, at: string, title: string): Entry {
  return {
    key: `${kind} ${key}`,
    atMs: Date.parse(at),
    kind,
    title,
    detail: null,
    tone: 'plain',
    place: null,
    realMs: null,
    ahead: false,
  };
}

function requestEntry(call: JournalRequest): Entry {
  const { id, at, method, path, status, duration_ms: realMs, error, response } = call;
  const body = (response?.body ?? {}) as { error?: { message?: unknown } };
  const words = body.error?.message;
  return {
    ...plain('request', id, at, `${method} ${path}: ${status ?? 'no response'}`),
    detail: error === undefined ? null : typeof words === 'string' ? words : error,
    tone: status !== null && status < 300 ? 'good' : 'bad',
    place: ['requests', id],
    realMs,
  };
}

const hands = { command: 'by a command', timeline: 'by the timeline' } as const;

function messageEntries(message: HandsetMessage): Entry[] {
  const phone = message.direction === 'inbound' ? message.from : message.to;
  return message.history.map((step, index) => {
    const { status, at } = step;
    const error = 'error' in step ? step.error : undefined;
    const by = 'by' in step ? hands[step.by] : null;
    return {
      ...plain('message', String(index), at, status === 'received' ? 'Customer writes' : `Message ${status}`),
      detail: error ? `${error.code}: ${error.message}` : by,
      tone: status === 'failed' ? 'bad' : status === 'delivered' || status === 'read' ? 'good' : 'plain',
      place: ['handset', phone, message.message_id],
    };
  });
}

function codeEntries({ otp_id: id, verified_at: verified, expires_at: expires, state }: Otp): Entry[] {
  const place = ['codes', id] as const;
  if (verified !== null) return [{ ...plain('code', 'verified', verified, 'Code verified'), tone: 'good', place }];
  const ahead = state === 'active';
  return [{ ...plain('code', 'expires', expires, ahead ? 'Code expires' : 'Code expired'), place, ahead }];
}

function eventEntry({ id, type, created_at: at, data }: Event): Entry {
  const { status } = data as { status?: unknown };
  const words = typeof status === 'string' && type !== 'message.received' ? `${type} ${status}` : type;
  return { ...plain('event', id, at, `Event ${words}`), detail: id, place: ['story', 'event', id] };
}

function attemptEntries(delivery: Delivery): Entry[] {
  const { id, url, attempts, next_attempt_at: next, state, faults = [], created_at: created } = delivery;
  const target = url.replace(/^https:\/\//, '');
  const made = attempts.map((attempt): Entry => {
    const { number, at, status, error, reason, duration_ms: realMs, faults: own = [] } = attempt;
    const words = [...own.map((fault) => fault.replaceAll('_', ' ')), ...(reason === undefined ? [] : [reason])];
    return {
      ...plain('attempt', `${id} ${number}`, at, `Attempt ${number} to ${target}: ${status ?? 'no response'}`),
      detail: words.length === 0 ? null : words.join(' · '),
      tone: error === undefined ? (own.length === 0 ? 'good' : 'warn') : 'bad',
      place: ['webhooks', 'deliveries', id, String(number)],
      realMs,
    };
  });
  const place = ['webhooks', 'deliveries', id] as const;
  if (next !== null) {
    const number = (attempts.at(-1)?.number ?? 0) + 1;
    return [...made, { ...plain('attempt', `${id} next`, next, `Attempt ${number} to ${target}`), place, ahead: true }];
  }
  if (state === 'held' || state === 'dropped' || state === 'failed') {
    const at = attempts.at(-1)?.at ?? created;
    const detail = delivery.explain?.text ?? (faults.length > 0 ? faults.join(', ') : null);
    return [
      ...made,
      { ...plain('attempt', `${id} end`, at, `Delivery to ${target} ${state}`), detail, tone: 'warn', place },
    ];
  }
  return made;
}

function replyEntry(message: HandsetMessage): Entry {
  const inbound = message.direction === 'inbound';
  return {
    ...plain('reply', message.message_id, message.created_at, inbound ? 'Customer replies' : 'Account replies'),
    detail: message.text ?? message.type,
    place: ['story', 'message', message.message_id],
  };
}

function jobEntry({ seq, job, due, status }: Job): Entry {
  const title = job === 'customer.writes' ? 'Customer replies' : `Message ${status ?? 'changes'}`;
  return { ...plain(job === 'customer.writes' ? 'reply' : 'message', `job ${seq}`, due, title), ahead: true };
}

/** Whether a call belongs to a message: it created or read the message, or verified its code. */
function concerns(call: JournalRequest, { message, otp }: Pick<StoryParts, 'message' | 'otp'>): boolean {
  const ids = [message?.message_id, otp?.otp_id].filter((id) => id !== undefined);
  const text = `${call.path} ${JSON.stringify(call.request.body)} ${JSON.stringify(call.response?.body ?? null)}`;
  return ids.some((id) => text.includes(id));
}

/** Returns the calls that belong to it, and earlier ones with the same body that were rejected, oldest first. */
export function callsOf(
  calls: readonly JournalRequest[],
  about: Pick<StoryParts, 'message' | 'otp'>,
): JournalRequest[] {
  const own = calls.filter((call) => concerns(call, about));
  const bodies = new Set(
    own.filter(({ method }) => method === 'POST').map(({ path, request }) => `${path} ${JSON.stringify(request.body)}`),
  );
  const made = own.find(({ method }) => method === 'POST')?.seq ?? 0;
  return calls
    .filter(
      (call) =>
        own.includes(call) ||
        (call.seq < made &&
          call.error !== undefined &&
          bodies.has(`${call.path} ${JSON.stringify(call.request.body)}`)),
    )
    .toSorted((a, b) => a.seq - b.seq);
}
