/** Outcomes that the state of an application need not contain: of a reply, or of a message before the latest one. */
import { hookOf } from '../../language/hooks.js';
import { copiesOf, type Part, type Reference } from '../facts/end-state.js';
import { toOf, type Facts, type JournalRequest } from '../facts/facts.js';
import type { Raw } from '../facts/raw.js';
import type { Placed } from '../facts/types.js';

export const ofLater = 'Its state may describe a later message to this customer.';

export const maybeReply = 'It is a reply, whose outcome a state need not contain.';

/**
 * Returns why an application may still wait for a template that a call found paused: it looked the template up, which remains approved in
 * the sandbox. Null if it did not.
 */
export function mayWaitFor({ requests }: Facts, { fault }: Placed): string | null {
  if (fault.id !== 'template-paused') return null;
  const i = requests.findIndex(({ error }) => error === 'template_not_approved');
  const looks = requests.slice(i + 1).some(({ operation }) => /^(?:get|list)Template/.test(operation ?? ''));
  return i >= 0 && looks ? stillApproved : null;
}

const stillApproved = 'It looked up the template, which remains approved in the sandbox, so it may wait.';

/** Returns that the rejection of a template matters to nobody, as nothing is sent with it without the fault; null if it may matter. */
export function ofUnused({ requests }: Facts, { fault, point: { template } }: Placed): string | null {
  if (fault.rule?.then.review === undefined) return null;
  const isUsed = requests.some(({ operation, request: { body } }) => {
    const hook = hookOf(operation);
    const text = JSON.stringify(body ?? null);
    // A request for a code need not name its template.
    const isUnnamed = hook === 'otp.send' && !text.includes('"template');
    return isUnnamed || (['message.send', 'otp.send'].includes(hook ?? '') && text.includes(JSON.stringify(template)));
  });
  return isUsed ? null : unused;
}

const unused = 'Without the fault, nothing is sent with this template.';

/** Account milliseconds within which a message that follows one of the customer is a reply. */
const replyMs = 10_000;

/**
 * Returns why the state of an application need not contain the outcome of a rejected message; null if it must.
 * @param isClaimed whether the state says that the message got further
 */
export function mayNotSay(
  { requests, received, messages }: Facts,
  { to, template }: Pick<Placed['point'], 'to' | 'template'>,
  isClaimed: boolean,
): string | null {
  const isOwn = ({ operation, request: { body } }: JournalRequest) =>
    hookOf(operation) === 'message.send' && [toOf(body)].flat().includes(to);
  const sends = requests.filter(isOwn);
  // A batch with a rejected entry succeeds.
  const hasFailed = ({ status, response }: JournalRequest) =>
    (status !== null && status >= 400) || JSON.stringify(response?.body ?? null).includes('"ok":false');
  const i = sends.findLastIndex(hasFailed);
  const failed = messages.filter((one) => one.to === to && one.status === 'failed').map(({ id }) => id);
  const isOfFailed = ({ response }: JournalRequest) =>
    failed.some((id) => JSON.stringify(response?.body ?? null).includes(id));
  // One that was rejected, and then accepted, failed in the end.
  if (i < 0 || sends.slice(i + 1).some(isOfFailed)) return null;
  if (sends.length > i + 1 && !isClaimed) return ofLater;
  const sentMs = Date.parse(sends[i]?.at ?? '');
  const wrote = isSoonAfter({ received }, to, sentMs);
  return wrote && template === null && !isClaimed ? maybeReply : null;
}

/** True if a text or file is missing that follows a message of the customer without the fault. */
export function isReply({ kind, of: part }: Raw, { run: { facts }, closeness }: Reference): boolean {
  return kind === 'lost' && part !== undefined && isAnswer(part, facts, closeness);
}

/** True if each text or file of this kind follows a message of its customer. */
export const isAnswer = (part: Part, facts: Facts, closeness: Reference['closeness']): boolean =>
  part.about === 'messages' &&
  part.where['template'] === undefined &&
  copiesOf(facts, part, closeness).every(({ to, created_at: at }) => isSoonAfter(facts, to, Date.parse(at)));

/** True if the customer wrote shortly before. */
const isSoonAfter = ({ received }: Pick<Facts, 'received'>, to: string | null, ms: number): boolean =>
  received.some(({ from, created_at: at }) => {
    const sinceMs = ms - Date.parse(at);
    return from === to && sinceMs >= 0 && sinceMs < replyMs;
  });
