/** A step of the timeline in which a customer writes, or taps a button. */
import type { Account } from '../account/account.js';
import { isoTime } from '../domain/instant.js';
import { buttonsOf, shownButtons, wasShown } from '../domain/message.js';
import type { Explain, Message } from '../domain/rows.js';
import { counted } from '../domain/text.js';
import { customerWrites } from '../simulation/customer-writes.js';
import type { Judgement } from '../rules/expectations.js';
import { NOW, placeholdersIn } from '../language/calls.js';
import type { Actions } from '../language/timeline.js';

/** A step's unmet need: it fails the verdict, as a check does. */
export type Unmet = Pick<Judgement, 'that' | 'expected' | 'found'>;

/** Undefined if the action was done, now or earlier. */
export type Reason = string | Unmet | undefined;

/** Fills in what a customer writes: `${code}` is the latest code that was sent to that number. */
function typedBy({ phone, text }: Actions['inbound'], account: Account): string | undefined | Unmet {
  const { store, clock, application } = account;
  let typed = text;
  for (const { whole, name } of placeholdersIn(text ?? '')) {
    const isCode = name === 'code';
    const code = store.tables.otps.all().findLast(({ to }) => to === phone)?.code;
    // No application is needed to tell the time.
    const saved = name === NOW ? isoTime(clock.now()) : application.current?.saved(name);
    const value = isCode ? code : saved;
    const lacked = isCode
      ? { expected: 'a code that was sent to this number', found: 'no code' }
      : { expected: `a value for ${whole}`, found: 'no step before has saved one' };
    if (value === undefined) return { that: `what ${phone} writes`, ...lacked };
    typed = typed?.replaceAll(whole, () => value);
  }
  return typed;
}

export function inbound(account: Account, action: Actions['inbound'], explain: Explain): Reason {
  const { phone, type, url, button, name } = action;
  const typed = typedBy(action, account);
  if (typeof typed === 'object') return typed;
  const toCustomer = account.store.tables.messages.list('customer', phone);
  const tapped = button === undefined ? undefined : shownButtons(toCustomer, button).at((action.message ?? 0) - 1);
  if (button !== undefined && tapped === undefined) return notShown(action, toCustomer);
  const written = {
    from: phone,
    ...(type !== undefined && { type }),
    ...(typed !== undefined && { text: typed }),
    ...(url !== undefined && { media_url: url }),
    ...(tapped !== undefined && { interactive: tapped }),
    ...(name !== undefined && { profile_name: name }),
  };
  customerWrites(account, written, explain);
  return undefined;
}

/** True for a tap on buttons that may still come. One whose message failed never does. */
export function lacksButtons({ store }: Account, { phone, button, message }: Actions['inbound']): boolean {
  if (button === undefined) return false;
  const toCustomer = store.tables.messages.list('customer', phone);
  if (shownButtons(toCustomer, button).at((message ?? 0) - 1) !== undefined) return false;
  return !toCustomer.some((one) => one.status === 'failed' && hasButton(one, button));
}

const hasButton = (message: Message, named: string): boolean =>
  buttonsOf(message).some(({ title, id }) => title === named || id === named);

function notShown({ phone, button = '', message }: Actions['inbound'], toCustomer: readonly Message[]): Unmet {
  const shown = shownButtons(toCustomer, button).length;
  const titles = new Set(
    toCustomer
      .filter(wasShown)
      .flatMap(buttonsOf)
      .map(({ title }) => JSON.stringify(title)),
  );
  const hidden = toCustomer.findLast((one) => !wasShown(one) && hasButton(one, button));
  const others = titles.size === 0 ? 'no message with buttons was delivered' : `shown: ${[...titles].join(', ')}`;
  const none = hidden ? `the message with this button is ${hidden.status}: ${hidden.explain.text}` : others;
  return {
    that: `tap of ${phone} on ${JSON.stringify(button)}`,
    expected:
      message === undefined
        ? 'a message that shows this button'
        : `${counted(message, 'message')} that show this button`,
    found: shown === 0 ? none : `${shown} found`,
  };
}
