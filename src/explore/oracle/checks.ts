/** The checks of a story that fail in a try. */
import { underWay } from '../faults/opt-out.js';
import { swapping } from '../faults/faults.js';
import { afterTimer } from '../faults/late-events.js';
import { hearsLess, maybeLate, unheard } from './late.js';
import { noOrder } from './order.js';
import type { Found, Raw } from '../facts/raw.js';
import type { FailedCheck, Placed, Run } from '../facts/types.js';

/** Finds checks that fail with the fault; without it, all succeed. After a fault that cannot be mended, or beside one, only what must not happen counts. */
export function failedChecks(usual: Run, found: Found, placed: Placed | null): Raw[] {
  const mustMeet = placed === null || (placed.fault.class === 'recoverable' && placed.isBeside !== true);
  const to = placed?.point.to ?? null;
  const wrote = ({ facts }: Pick<Run, 'facts'>, customer: string | null) =>
    facts.received.filter(({ from }) => from === customer).length;
  const isSilenced = (customer: string | null) => wrote(found, customer) < wrote(usual, customer);
  const doubt = hearsLess(usual, found)
    ? unheard
    : placed?.fault.id === swapping
      ? noOrder
      : placed?.fault.hurriesMs !== undefined
        ? underWay
        : null;
  // Its customer did not get the message, so another one may be right.
  const isFailing = placed?.fault.class === 'final' && placed.fault.rule?.then.lifecycle !== undefined;
  const doubtOf = ({ isSoon, isLate, isLimit, customers = [] }: FailedCheck) => {
    if ([to, ...customers].some(isSilenced)) return unwritten;
    if (doubt !== null) return doubt;
    if (isFailing && isLimit === true) return sentAgain;
    if (placed?.fault.id === afterTimer && isLimit !== true) return failedLater;
    if (isSoon === true) return soon;
    const wasTaken = isLate === true && customers.every((one) => hasTaken(found, one));
    return mayWait(customers) && !wasTaken ? maybeLate : null;
  };
  const ruleOf = ({ sentence }: FailedCheck) => sentence.split('; found ')[0];
  const failsAlways = (check: FailedCheck) => (usual.failedChecks ?? []).some((one) => ruleOf(one) === ruleOf(check));
  // Such a fault keeps an application busy that does one thing at a time.
  const keepsBusy = ['outage', 'throttle'].includes(placed?.fault.class ?? '');
  const mayWait = (customers: readonly string[]) =>
    keepsBusy && customers.length > 0 && (to === null || !customers.includes(to));
  return (
    (found.failedChecks ?? [])
      .filter((check) => (check.isForbidden || mustMeet) && !failsAlways(check))
      // A message that waited while the story went on counts among others than without the fault.
      .filter(({ isLimit }) => isLimit !== true || placed?.fault.hurriesMs === undefined)
      .map((check) => {
        const { sentence, customers = [] } = check;
        return { kind: 'check failed', sentence, customers, expect: null, doubt: doubtOf(check) };
      })
  );
}

/** True if the application responded with a 2xx to each event of the messages of this customer, when it was first delivered. */
const hasTaken = ({ facts }: Pick<Run, 'facts'>, customer: string): boolean =>
  facts.deliveries.every(
    ({ event_type: type, payload, attempts: [first] }) =>
      type !== 'message.received' ||
      payload?.includes(JSON.stringify(customer)) !== true ||
      (typeof first?.status === 'number' && first.status < 300),
  );

const failedLater = 'The failure was reported late, so what the application sends because of it comes after this step.';
const sentAgain = 'A message failed, and the application may have sent it again.';
const unwritten = 'This customer could not write as without the fault, such as by a button of a message that failed.';
const soon = 'It was sent within a second of the step, so it may have been under way.';
