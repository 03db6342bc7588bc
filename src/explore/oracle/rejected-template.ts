/** An application that asks for the result of a review must send only if the template was approved. */
import { hookOf } from '../../language/hooks.js';
import type { Facts } from '../facts/facts.js';
import type { Raw } from '../facts/raw.js';
import type { Placed, Run } from '../facts/types.js';

const maybeOther = 'Another test of a suite may send it, whatever the first one has learnt.';
/** A message that is sent so soon after the application learnt the result of the review depends on it, in milliseconds. */
const releasedMs = 500;

/** Finds a message that depends on the approval of its template, and is sent although the template was rejected. */
export function sentWhenRejected(
  usual: Run,
  found: Pick<Run, 'facts' | 'accounts' | 'flows' | 'said' | 'tests'>,
  placed: Placed | null,
): Raw[] {
  const name = placed?.point.template ?? null;
  if (placed?.fault.rule?.then.review?.status !== 'rejected' || name === null) return [];
  // In its own account, another test has an approved template of this name.
  const { account } = placed.point;
  const own = found.accounts.find((one) => one.account === account) ?? found.facts;
  if (!isSentAfter('approved', usual.facts, name) || !isSentAfter('rejected', own, name)) return [];
  const sentence = `It learnt that the template ${name} was rejected, and sent a message with it all the same.`;
  // What reports its state is an application, unless it is a suite that prints what it has seen.
  const isOne = found.flows === true || ((found.said ?? null) !== null && found.tests === undefined);
  return [{ kind: 'useless calls', sentence, expect: null, doubt: isOne ? null : maybeOther }];
}

function isSentAfter(status: string, facts: Facts, name: string): boolean {
  const tells = (text: string) => text.includes(JSON.stringify(name)) && text.includes(JSON.stringify(status));
  const heard = facts.deliveries
    .filter(({ event_type: type, payload }) => type === 'template.status' && tells(payload ?? ''))
    .flatMap(({ attempts }) => attempts.filter((one) => one.status !== null && one.status < 300));
  const read = facts.requests.filter(
    ({ operation, response }) =>
      ['getTemplate', 'listTemplates'].includes(operation ?? '') && tells(JSON.stringify(response?.body ?? null)),
  );
  const sent = facts.requests.find(
    ({ operation, request: { body } }) =>
      hookOf(operation) === 'message.send' &&
      (body as { template?: { name?: unknown } } | null)?.template?.name === name,
  );
  return [...heard, ...read].some(({ at }) => {
    const afterMs = Date.parse(sent?.at ?? '') - Date.parse(at);
    return afterMs >= 0 && afterMs <= releasedMs;
  });
}
