/** Events of a run that found no endpoint: the reason why an application that works may have done nothing. */
import type { Account } from '../../account/account.js';
import { counted } from '../../domain/in-words.js';
import { activeId } from '../../domain/script-state.js';
import { formatDuration } from '../../time/duration.js';

/**
 * One sentence for each type of event. Types to which the application never subscribed are left out, unless it must be told:
 * a message that a customer wrote, or an event of the timeline.
 */
export function unheardEvents({ script, store }: Account): string[] {
  const { tables } = store;
  const activatedSeq = tables.scenarios.get(activeId)?.seq ?? 0;
  const delivered = new Set([...tables.deliveries.all()].map(({ eventId }) => eventId));
  const subscribed = new Set([...tables.endpoints.all()].flatMap(({ events }) => [...events]));
  const unheard = [...tables.events.all()].filter(
    ({ id, seq, type, by }) =>
      seq > activatedSeq &&
      !delivered.has(id) &&
      (subscribed.has(type) || type === 'message.received' || by === 'timeline'),
  );
  return [...new Set(unheard.map(({ type }) => type))].map((type) => {
    const own = unheard.filter((event) => event.type === type);
    const firstMs = (own[0]?.createdAtMs ?? 0) - (script.activatedAtMs ?? 0);
    const why = subscribed.has(type)
      ? 'the endpoint was registered later, or paused'
      : 'the application registered none for this type';
    const first = `the first, ${own[0]?.id ?? ''}, at +${formatDuration(Math.max(0, firstMs))}`;
    return `${counted(own.length, `${type} event`)} found no endpoint (${first}): ${why}.`;
  });
}
