/** A field such as `reminder: sent` of a customer to whom no message of the template `visit_reminder` was sent. */
import { customersOf, type Reference } from '../facts/end-state.js';
import type { Found, Raw } from '../facts/raw.js';
import { customersIn, leaves } from '../facts/leaves.js';
import { notTo } from './say-so.js';
import { placeIn } from '../facts/state-place.js';
import { normalForm } from '../facts/state.js';
import type { Placed, Run } from '../facts/types.js';

const claim = 'sent';

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/);

/** Only after rejections, which leave no doubt that nothing was sent. */
export function claimedByName(reference: Reference, found: Found, placed: Placed | null): Raw[] {
  const { point, fault } = placed ?? {};
  const { to = null, template = null } = point ?? {};
  const isRejected = fault?.class === 'outage' || fault?.class === 'final';
  if (!isRejected || to === null || template === null || found.timedOut) return [];
  const copiesIn = ({ facts }: Pick<Run, 'facts'>) =>
    facts.messages.filter((one) => one.to === to && one.template?.name === template).length;
  const about = wordsOf(template);
  // The field may describe what the message is about, such as a parcel that was sent.
  if (copiesIn(reference.run) === 0 || copiesIn(found) > 0 || about.includes(claim)) return [];
  const now = normalForm(found.said);
  const of = customersIn(now, customersOf(reference.run.facts));
  const shown = leaves(now).find(
    ({ names, value }) =>
      typeof value === 'string' &&
      value.toLowerCase() === claim &&
      of(names).join() === to &&
      wordsOf(names.at(-1) ?? '').some((word) => word.length > 3 && about.includes(word)),
  );
  if (shown === undefined) return [];
  const path = { path: shown.names, found: shown.value };
  const sentence = `The application reports ${placeIn(shown.names, now)}: ${JSON.stringify(shown.value)}, but no message with the template ${template} was sent to ${to}.`;
  return [{ kind: 'failure hidden', sentence, customers: [to], expect: notTo(found.said, path), doubt: null }];
}
