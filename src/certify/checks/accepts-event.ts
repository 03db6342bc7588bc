/** The least a receiver can do: take in what is genuine (interface document §6, rule 1). */
import type { EventType } from '../../domain/event.js';
import type { Check } from '../check.js';
import { judgeAccepted, sendEach } from '../judging.js';

/** One check for each type of event, in every form that its data takes. */
export function acceptsEvent(type: EventType, forms: string): Check {
  return {
    id: `accepts-${type.replace('.', '-')}`,
    group: 'good events',
    title: `Takes in ${type}`,
    level: 'must',
    why: 'What is not answered with a 2xx is sent again for 24 hours; then the endpoint is paused, and all its events stay away.',
    sends: `${type} as ${forms}, rightly signed.`,
    expects: 'A 2xx within 10 seconds, each time.',
    judged: 'Any 2xx passes, with or without a body. A redirect fails: redirects are not followed.',
    play: async (bench) => judgeAccepted(await sendEach(bench, bench.events.everyKindOf(type))),
  };
}
