/** A point is a call or a delivery of a run without faults. */
import { hookOf } from '../../language/hooks.js';
import { isRepetition, type Facts, type JournalRequest } from '../facts/facts.js';
import { numberless } from '../facts/state.js';
import type { Point, Run } from '../facts/types.js';

/** Maximum number of reading calls of one kind. More of them are polls, where another fault shows nothing new. */
const mostReads = 2;

type Place = Pick<
  Point,
  'kind' | 'when' | 'match' | 'to' | 'template' | 'batch' | 'recipients' | 'event' | 'outcome' | 'isRejected' | 'says'
>;

/** Points that all of these runs have, in the order of the first run. */
export function pointsOf(runs: readonly Pick<Run, 'facts' | 'accounts'>[]): Point[] {
  const [first, ...others] = runs.map(({ accounts }) => accounts.flatMap(numbered));
  const known = others.map((points) => new Set(points.map(({ id }) => id)));
  const shared = (first ?? []).filter(({ id }) => known.every((ids) => ids.has(id)));
  const outages = (runs[0]?.accounts ?? []).flatMap((facts) => outagesOf(facts, shared));
  return [...shared, ...outages];
}

/** An outage from the first send of an account on, and from the second: an application may lose what it noted before. */
function outagesOf({ account, requests, startedAt }: Facts, shared: readonly Point[]): Point[] {
  const sends = shared.filter((one) => one.account === account && ['message.send', 'otp.send'].includes(one.kind));
  const calls = requests.flatMap(({ operation }, i) => (hookOf(operation) === sends[0]?.kind ? [i + 1] : []));
  const test = account === '' ? '' : ` in ${account.slice(1)}`;
  return sends.slice(0, account === '' ? 2 : 1).flatMap((send, i) => {
    const nth = calls[i];
    if (nth === undefined) return [];
    const [id, title] =
      i === 0 ? [`service${account}`, `the service${test}`] : ['service:2', 'the service, from the 2nd send on,'];
    const sinceMs = Math.floor(send.atMs / 1000) * 1000;
    const isApart = requests.slice(0, nth - 1).every(({ at }) => Date.parse(at) - Date.parse(startedAt) < sinceMs);
    const later = shared.slice(shared.indexOf(send)).filter((one) => one.account === account && isCall(one));
    const affected = [...new Set(later.map(({ kind }) => kind))];
    const whole = wholePoint(id, 'service', title, nth, send.atMs, account);
    return [{ ...whole, affected, ...(isApart && { sinceMs }) }];
  });
}

/** Returns the calls that change something, without their numbers: a slow machine makes an application repeat one. */
export function writesOf({ accounts }: Pick<Run, 'accounts'>): string[] {
  const points = accounts.flatMap(numbered).filter(isCall);
  return [...new Set(points.map(({ id, nth }) => id.slice(0, -`:${nth}`.length)))];
}

function numbered(facts: Facts): Point[] {
  const limited = facts.requests.filter(({ status }) => status === 429);
  const isInVain = (one: JournalRequest) => one.status === 429 && limited.some((first) => isRepetition(first, one));
  const calls = facts.requests.flatMap((one) => placed(one.at, one.seq, callOf(one, facts), isInVain(one)));
  const deliveries = facts.deliveries.flatMap((delivery) =>
    delivery.attempts.length === 0 ? [] : placed(delivery.created_at, delivery.seq, deliveryOf(delivery)),
  );
  const inOrder = [...calls, ...deliveries].sort((a, b) => a.at.localeCompare(b.at) || a.seq - b.seq);
  const counts = new Map<string, number>();
  return inOrder.flatMap(({ place, at, isInVain }) => {
    const key = `${place.when} ${JSON.stringify(place.match)}`;
    const nth = (counts.get(key) ?? 0) + 1;
    counts.set(key, nth);
    // After a fault at the last repetition of a rejected call, an application has no more.
    if (isInVain || (nth > mostReads && isRead(place))) return [];
    const { account } = facts;
    const atMs = Date.parse(at) - Date.parse(facts.startedAt);
    return [
      { ...place, account, atMs, nth, id: `${slugOf(place)}${account}:${nth}`, title: titleOf(place, nth, account) },
    ];
  });
}

/** Distinguishes points by what a rule can match. */
function slugOf({ kind, match, template, to, batch }: Place): string {
  const { status, type, method, url } = match;
  const about = [status, method, url, template ?? type, batch === true ? 'batch' : undefined, to];
  return [kind, ...about.filter((part) => typeof part === 'string')].join(':');
}

/** A point of no particular customer or call. */
export function wholePoint(
  ...[id, kind, title, nth, atMs, account = '']: [string, string, string, number, number, string?]
): Point {
  return { id, title, kind, when: 'api.any', match: {}, nth, to: null, template: null, account, atMs };
}

const placed = (at: string, seq: number, place: Place | null, isInVain = false) =>
  place === null ? [] : [{ at, seq, place, isInVain }];

export const isRead = ({ match, kind }: Pick<Point, 'match' | 'kind'>): boolean =>
  match['method'] === 'GET' || kind.endsWith('.get');

export const isCall = (point: Point): boolean =>
  point.when !== 'webhook.deliver' && point.kind !== 'service' && point.kind !== 'application' && !isRead(point);

interface SendBody {
  readonly to?: unknown;
  readonly type?: unknown;
  readonly template?: { readonly name?: unknown };
  readonly otp_id?: unknown;
  readonly name?: unknown;
  readonly events?: unknown;
}

/** The name and value that identify what a call is about, by the field of a rule that matches on it. */
const subjects: Readonly<
  Record<string, (body: SendBody, facts: Facts, id: string | undefined) => readonly ['phone' | 'name', unknown]>
> = {
  'message.get': (_body, { messages }, id) => ['phone', messages.find((one) => one.id === id)?.to],
  'otp.send': ({ to }) => ['phone', to],
  'otp.verify': ({ otp_id: id }, { otps }) => ['phone', otps.find((one) => one.otp_id === id)?.to],
  'template.create': ({ name }) => ['name', name],
  'template.get': (_body, { templates }, id) => ['name', templates.find((one) => one.id === id)?.name],
};

const text = (value: unknown) => (typeof value === 'string' ? value : null);

/** @returns null for a call that takes no fault, such as one by which a test prepares its account */
function callOf({ operation, method, path, request, response, error }: JournalRequest, facts: Facts): Place | null {
  const kind = hookOf(operation);
  const isOurs = Object.values(request.headers).includes('messaging-sandbox-client');
  if (kind === null || isOurs) return null;
  const body: SendBody = typeof request.body === 'object' ? (request.body ?? {}) : {};
  const place = { kind, when: kind as Place['when'], match: {}, to: null, template: null };
  if (kind === 'webhook.create') return { ...place, event: text([body.events].flat()[0]) };
  if (kind === 'message.send') {
    const template = text(body.template?.name);
    const to = text([body.to].flat()[0]);
    const match = { phone: to, type: text(body.type) ?? 'text', ...(template !== null && { template }) };
    const batch = Array.isArray(body.to) && { batch: true, recipients: body.to as unknown[] };
    const { message_id: id } = (response?.body ?? {}) as { readonly message_id?: string };
    const hasFailed = facts.messages.some((one) => one.id === id && one.status === 'failed');
    const rejected = (error !== undefined || hasFailed) && { isRejected: true };
    return to === null ? null : { ...place, match, to, template, ...batch, ...rejected };
  }
  const subject = subjects[kind]?.(body, facts, path.split('/').at(-1));
  if (subject === undefined) {
    // Lists and removals have no hook.
    return { ...place, when: 'api.any', match: { method, url: path.replace(/\/[0-9a-f-]{36}$/, '/*') } };
  }
  const [field, value] = subject;
  const known = text(value);
  if (known === null || (field === 'name' && isSetUp(known, facts))) return null;
  const { valid } = (response?.body ?? {}) as { readonly valid?: unknown };
  const outcome = kind === 'otp.verify' && { outcome: error ?? `valid: ${String(valid)}` };
  return { ...place, match: { [field]: known }, [field === 'phone' ? 'to' : 'template']: known, ...outcome };
}

/** True if a template belongs to the story's own preparation: the story reviews it itself, or nobody follows its review. */
function isSetUp(name: string, { templates, requests, endpoints }: Facts): boolean {
  const isReviewed = templates.some((one) => one.name === name && one.history.some(({ by }) => by === 'command'));
  const isFollowed =
    requests.some(({ operation }) => operation === 'getTemplate' || operation === 'listTemplates') ||
    endpoints.some(({ events }) => events.includes('template.status'));
  return isReviewed || !isFollowed;
}

interface EventData {
  readonly to?: string;
  readonly from?: string;
  readonly status?: string;
  readonly text?: string;
  readonly interactive?: { readonly id: string };
}

function deliveryOf({ event_type: event, payload }: Facts['deliveries'][number]): Place | null {
  const { data } = JSON.parse(payload ?? '{}') as { data?: EventData };
  const to = (event === 'message.received' ? data?.from : data?.to) ?? null;
  const match = {
    event,
    ...(data?.status !== undefined && { status: data.status }),
    ...(to !== null && { phone: to }),
  };
  const words = data?.text ?? data?.interactive?.id;
  const says = event === 'message.received' && words !== undefined && { says: numberless(words) };
  return { kind: event, when: 'webhook.deliver', match, to, template: null, ...says };
}

/** Such as `1st message.send (order_update to +12025550110)`, with its test. */
function titleOf({ kind, match, to, template }: Place, nth: number, account: string): string {
  const status = typeof match['status'] === 'string' ? ` ${match['status']}` : '';
  const about = [template, to].filter((part) => part !== null).join(' to ');
  const test = account === '' ? '' : ` in ${account.slice(1)}`;
  return `${ordinal(nth)} ${kind}${status}${about === '' ? '' : ` (${about})`}${test}`;
}

function ordinal(number: number): string {
  const last = number % 100;
  const ending = last > 10 && last < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${ending}`;
}
