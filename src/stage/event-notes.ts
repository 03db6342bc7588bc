/** Sentences about events that did not reach the application, or that it did not accept. */
import type { Account } from '../account/account.js';
import { counted } from '../domain/text.js';
import type { Attempt, Row } from '../domain/rows.js';
import { formatDuration } from '../time/duration.js';
import { sinkNameOf } from '../webhooks/direct.js';

export function eventNotes(account: Account, within: (row: Row) => boolean, isRed: boolean): string[] {
  return [...rejectedAttempts(account, within), ...(isRed ? unheardEvents(account, within) : [])];
}

const offsetIn = ({ script }: Account, atMs: number): string =>
  `+${formatDuration(Math.max(0, atMs - (script.activatedAtMs ?? 0)))}`;

/** True if it is what the service would send, and no sink takes it. */
export function reachesApplication({ faults, request }: Attempt): boolean {
  return faults === undefined && sinkNameOf(new URL(request.url)) === null;
}

/** Attempts to which the application responded with an error: they say more about it than checks do. */
function rejectedAttempts(account: Account, within: (row: Row) => boolean): string[] {
  const attempts = account.store.tables.attempts.filter(within).filter(reachesApplication);
  const rejected = attempts.filter(({ status }) => status !== null && status >= 400);
  return [...new Set(rejected.map(({ status }) => status))].map((wanted) => {
    const some = rejected.filter(({ status }) => status === wanted);
    const first = offsetIn(account, some[0]?.atMs ?? 0);
    return `${some.length} of ${counted(attempts.length, 'delivery attempt')} got ${wanted} from the application, first at ${first}.`;
  });
}

/** There was no endpoint, or it came too late. */
function unheardEvents(account: Account, within: (row: Row) => boolean): string[] {
  const { events, deliveries, endpoints } = account.store.tables;
  const delivered = new Set([...deliveries.all()].map(({ eventId }) => eventId));
  const unheard = events.filter(within).filter(({ id }) => !delivered.has(id));
  const [first] = unheard;
  if (first === undefined) return [];
  const at = `first at ${offsetIn(account, first.createdAtMs)}`;
  if (endpoints.size === 0 && delivered.size === 0) {
    return [`${counted(unheard.length, 'event')} found no endpoint, ${at}: none is registered.`];
  }
  const subscribed = new Set([...endpoints.all()].flatMap((endpoint) => endpoint.events));
  return [...new Set(unheard.map(({ type }) => type))].flatMap((type) => {
    // An application that does not subscribe to a type does not want it.
    if (!subscribed.has(type)) return [];
    const late = unheard.filter((event) => event.type === type);
    const since = offsetIn(account, late[0]?.createdAtMs ?? 0);
    return `${counted(late.length, 'event')} of type ${type} found no endpoint, first at ${since}. An endpoint that is registered later does not get it.`;
  });
}
