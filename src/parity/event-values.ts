/** Finds, in an event of unknown form, the values that an event of the sandbox needs to be the same event. */
import { eventTypes, type EventType } from '../domain/words.js';
import { failureOf, isEventType, isPhone, isUuid, type Leaf, leavesOf, nearness } from './values.js';

/** A value of the body, otherwise of a header. */
export function typeOf(body: object, headers: Readonly<Record<string, string>>): EventType | null {
  const values = [...leavesOf(body).map(({ value }) => value), ...Object.values(headers)];
  const found = values.find(isEventType);
  return eventTypes.find((type) => type === found) ?? null;
}

/** `known` has the ids in responses of the capture. */
export function dataOf(type: EventType, body: object, known: ReadonlySet<string>): Record<string, unknown> {
  const leaves = leavesOf(body);
  const nearest = (name: string, fits: (value: unknown) => boolean): Leaf | undefined =>
    leaves
      .filter(({ value }) => fits(value))
      .toSorted((a, b) => nearness(b.key, name) - nearness(a.key, name))
      .at(0);
  const oneOf = (...words: string[]) => leaves.find(({ value }) => words.includes(String(value)))?.value;
  const id = (name: string) =>
    (leaves.find(({ value }) => isUuid(value) && known.has(value)) ?? nearest(name, isV4))?.value;
  const text = (name: string) => {
    const found = nearest(name, (value) => typeof value === 'string');
    return found && nearness(found.key, name) > 0 ? found.value : undefined;
  };
  const data = ((): Record<string, unknown> => {
    switch (type) {
      case 'message.received':
        return received(leaves, nearest, id('message_id'), text);
      case 'message.status': {
        const status = oneOf('failed', 'read', 'delivered', 'sent');
        const error = failureOf(leaves) ?? failureOf([{ path: [], key: '', value: 'undeliverable' }]);
        const failure = error && { code: error.code, message: error.message, channel_code: error.channelCode };
        return {
          message_id: id('message_id'),
          wamid: wamidIn(leaves),
          to: nearest('to', isPhone)?.value,
          type: oneOf('template', 'text', 'image', 'document', 'interactive'),
          status,
          error: status === 'failed' ? failure : null,
        };
      }
      case 'otp.verified':
        return { otp_id: id('otp_id'), to: nearest('to', isPhone)?.value };
      case 'template.status': {
        const status = oneOf('approved', 'rejected');
        return {
          template_id: id('template_id'),
          name: text('name'),
          language: text('language'),
          category: oneOf('marketing', 'utility', 'authentication'),
          status,
          rejection_reason: status === 'rejected' ? text('rejection_reason') : null,
        };
      }
    }
  })();
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
}

const isV4 = (value: unknown): boolean => isUuid(value) && /^.{14}4.{4}[89ab]/.test(value);
const wamidIn = (leaves: readonly Leaf[]) =>
  leaves.find(({ value }) => typeof value === 'string' && /^wamid\.[A-Za-z0-9+/]+={0,2}$/.test(value))?.value;

function received(
  leaves: readonly Leaf[],
  nearest: (name: string, fits: (value: unknown) => boolean) => Leaf | undefined,
  messageId: unknown,
  text: (name: string) => unknown,
): Record<string, unknown> {
  const type =
    leaves.find(({ value }) => ['text', 'image', 'document', 'interactive'].includes(String(value)))?.value ?? 'text';
  const media = leaves.find(({ value }) => typeof value === 'string' && /^https?:\/\//.test(value))?.value;
  const from = nearest('from', isPhone);
  const button = leaves.find(({ key, path }) => key === 'title' && path.length > 1);
  const at = button?.path.slice(0, -1).join('.');
  const buttonId = leaves.find(({ key, path }) => key === 'id' && path.slice(0, -1).join('.') === at)?.value;
  return {
    ...{ message_id: messageId, wamid: wamidIn(leaves), from: from?.value, type },
    to: leaves.find((leaf) => isPhone(leaf.value) && leaf !== from)?.value,
    ...(type === 'text' && { text: text('text') ?? 'Text' }),
    ...((type === 'image' || type === 'document') && { media_url: media }),
    ...(type === 'interactive' && { interactive: { id: buttonId ?? 'id', title: button?.value ?? 'Title' } }),
    profile_name: text('profile_name'),
  };
}
