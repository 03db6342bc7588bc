/** Finds the points of a story: each call and each delivery of a run without faults. */
import { hookOf } from '../scenario/language/hooks.js';
import type { Facts, JournalRequest, Point } from './types.js';

/** Maximum number of reading calls of one kind. More of them are polls, where another fault shows nothing new. */
const mostReads = 2;

type Place = Pick<Point, 'kind' | 'when' | 'match' | 'to' | 'template'>;

/** Returns the points that all of these runs have, in the order of the first run. */
export function pointsOf(runs: readonly Facts[]): Point[] {
  const [first, ...others] = runs.map(numbered);
  const known = others.map((points) => new Set(points.map(({ id }) => id)));
  return (first ?? []).filter(({ id }) => known.every((ids) => ids.has(id)));
}

function numbered(facts: Facts): Point[] {
  const calls = facts.requests.flatMap((request) => placed(request.at, request.seq, callOf(request, facts)));
  const deliveries = facts.deliveries.flatMap((delivery) =>
    delivery.attempts.length === 0 ? [] : placed(delivery.created_at, delivery.seq, deliveryOf(delivery)),
  );
  const inOrder = [...calls, ...deliveries].sort((a, b) => a.at.localeCompare(b.at) || a.seq - b.seq);
  const counts = new Map<string, number>();
  const points = inOrder.flatMap(({ place }) => {
    const key = `${place.when} ${JSON.stringify(place.match)}`;
    const nth = (counts.get(key) ?? 0) + 1;
    counts.set(key, nth);
    if (nth > mostReads && isRead(place)) return [];
    return [{ ...place, nth, id: `${key} ${nth}`, title: titleOf(place, nth) }];
  });
  return deliveries.length === 0 ? points : [...points, receiver];
}

/** The receiver as a whole, which can be down for some time from the start. */
const receiver: Point = {
  id: 'receiver',
  title: 'the receiver',
  kind: 'receiver',
  when: 'webhook.deliver',
  match: {},
  nth: 0,
  to: null,
  template: null,
};

const placed = (at: string, seq: number, place: Place | null) => (place === null ? [] : [{ at, seq, place }]);

export const isRead = ({ match, kind }: Pick<Point, 'match' | 'kind'>): boolean =>
  match['method'] === 'GET' || kind.endsWith('.get');

interface SendBody {
  readonly to?: unknown;
  readonly type?: unknown;
  readonly template?: { readonly name?: unknown };
  readonly otp_id?: unknown;
  readonly name?: unknown;
}

export function callOf(request: JournalRequest, { otps, messages, templates }: Facts): Place | null {
  const kind = hookOf(request.operation);
  if (kind === null) return null;
  const body: SendBody =
    typeof request.request.body === 'object' ? ((request.request.body as SendBody | null) ?? {}) : {};
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const place = (match: Record<string, unknown>, to: string | null = null, template: string | null = null): Place => ({
    kind,
    when: kind as Place['when'],
    match,
    to,
    template,
  });
  switch (kind) {
    case 'message.send': {
      const template = text(body.template?.name);
      const recipients: unknown[] = Array.isArray(body.to) ? (body.to as unknown[]) : [body.to];
      const to = text(recipients[0]);
      if (to === null) return null;
      const type = text(body.type) ?? 'text';
      return place({ to, type, ...(template !== null && { template }), batch: Array.isArray(body.to) }, to, template);
    }
    case 'message.get': {
      const to = messages.find(({ id }) => id === request.path.split('/').at(-1))?.to ?? null;
      return to === null ? null : place({ to }, to);
    }
    case 'otp.send':
      return text(body.to) === null ? null : place({ to: body.to }, text(body.to));
    case 'otp.verify': {
      const to = otps.find(({ otp_id: id }) => id === body.otp_id)?.to ?? null;
      return to === null ? null : place({ to }, to);
    }
    case 'template.create':
      return text(body.name) === null ? null : place({ name: body.name }, null, text(body.name));
    case 'template.get': {
      const name = templates.find(({ id }) => id === request.path.split('/').at(-1))?.name ?? null;
      return name === null ? null : place({ name }, null, name);
    }
    case 'webhook.create':
      return place({});
    default: {
      // Lists and removals have no hook of their own.
      const path = request.path.replace(/\/[0-9a-f-]{36}$/, '/*');
      return { ...place({ method: request.method, path }), when: 'api.any' };
    }
  }
}

export function deliveryOf({ event_type: event, payload }: Facts['deliveries'][number]): Place | null {
  const { data } = JSON.parse(payload ?? '{}') as { data?: { to?: string; from?: string; status?: string } };
  const to = (event === 'message.received' ? data?.from : data?.to) ?? null;
  const match = { event, ...(data?.status !== undefined && { status: data.status }), ...(to !== null && { to }) };
  return { kind: event, when: 'webhook.deliver', match, to, template: null };
}

function titleOf(place: Place, nth: number): string {
  return `${ordinal(nth)} ${nameOf(place)}`;
}

/** Returns a name for a point, such as `message.send (order_update to +12025550110)`. */
export function nameOf({ kind, when, match, to, template }: Place): string {
  const status = typeof match['status'] === 'string' ? ` ${match['status']}` : '';
  const about = [template, to].filter((part) => part !== null).join(' to ');
  const verb = when === 'webhook.deliver' ? `${kind}${status}` : kind;
  return `${verb}${about === '' ? '' : ` (${about})`}`;
}

function ordinal(number: number): string {
  const last = number % 100;
  const ending = last > 10 && last < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${ending}`;
}
