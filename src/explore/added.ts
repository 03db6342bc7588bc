import type { Facts } from './facts.js';
import type { Found } from './raw.js';
import type { Placed } from './types.js';

/** Returns the attempts of what a fault adds to the story: an event, or a message of a customer. */
export function addedIn({ facts }: Pick<Found, 'facts'>, { fault: { inbound } }: Placed) {
  const isAdded = ({ faults, payload }: Facts['deliveries'][number]) => {
    if (inbound === undefined) return faults?.includes('unknown_type') === true;
    const parts = [inbound['phone'], inbound['url'] ?? inbound['text']];
    return parts.every((part) => payload?.includes(JSON.stringify(part)) === true);
  };
  return facts.deliveries.flatMap((one) => (isAdded(one) ? one.attempts : []));
}
