/** Missing data comes from the latest matching record, or is generated. */
import type { Account } from '../account/account.js';
import { messageReceivedData, messageStatusData, otpVerifiedData, templateStatusData } from '../domain/event.js';
import type { EventType } from '../domain/words.js';
import { someFailure } from '../domain/errors.js';
import { byDefault } from '../domain/explain.js';
import type { Event, MessageContent, MessageError } from '../domain/rows.js';
import { appendEvent, type AppendOptions } from '../webhooks/events.js';
import { contentOf, noteInbound, storeInbound, typeOf, type Inbound } from './customer-writes.js';
import { generalReason } from './review-template.js';

/** Call it only inside a write. A message from a customer is stored and opens the window, as if the customer had written. */
export function emitEvent(account: Account, type: EventType, given: object, how: AppendOptions): Event {
  const { subject, data } = fakeEvent(account, type, given);
  if (type === 'message.received') receive(account, subject, data as Readonly<Record<string, unknown>>);
  return appendEvent(account, type, subject, data, how);
}

const onDemand = byDefault('An event on demand brought this message of the customer.');

/** An event of an unknown type may have any data. */
function receive(account: Account, id: string, data: Readonly<Record<string, unknown>>): void {
  const { from, profile_name: name, wamid, type, text, media_url, interactive } = data;
  if (typeof from !== 'string') return;
  noteInbound(account, from, typeof name === 'string' ? name : undefined);
  const texts = { wamid, type, ...(text !== undefined && { text }), ...(media_url !== undefined && { media_url }) };
  if (!Object.values(texts).every((value) => typeof value === 'string')) return;
  if (account.store.tables.messages.get(id)) return;
  const { wamid: channelId, type: kind, ...own } = texts as { readonly wamid: string; readonly type: string };
  const content = { ...own, ...(interactive !== undefined && { interactive }) } as MessageContent;
  storeInbound(account, { id, wamid: channelId, customer: from, type: kind, content }, onDemand);
}

/** Call it only inside a write, because generated values are drawn from the account's random streams. */
function fakeEvent(account: Account, type: EventType, given: object): { subject: string; data: object } {
  const { subject, data } = basis(account, type, given as Record<string, unknown>);
  return { subject, data: { ...data, ...given } };
}

function basis(account: Account, type: EventType, given: Record<string, unknown>): { subject: string; data: object } {
  const { store, ids, fakeData, clock } = account;
  const { tables } = store;
  const nowMs = clock.now();
  const named = (key: string): string | undefined => (typeof given[key] === 'string' ? given[key] : undefined);
  switch (type) {
    case 'message.received': {
      const from = named('from') ?? fakeData.phone();
      const name = tables.customers.get(from)?.profileName ?? fakeData.profileName();
      const id = named('message_id') ?? ids.uuid('channel');
      const wamid = ids.wamid(from, 'channel');
      // The caller rejects invalid values.
      const inbound = { ...given, from } as Inbound;
      const message = { id, wamid, customer: from, type: typeOf(inbound), content: contentOf(account, inbound, id) };
      return { subject: id, data: messageReceivedData(message, name, nowMs) };
    }
    case 'message.status': {
      const id = named('message_id');
      const real =
        id === undefined ? tables.messages.all().findLast(({ origin }) => origin === 'api') : tables.messages.get(id);
      const errorOf = (status: string, known: MessageError | null) =>
        status === 'failed' ? (known ?? someFailure) : null;
      if (real) {
        const reached = real.status === 'received' || real.status === 'accepted' ? 'sent' : real.status;
        const error = errorOf(named('status') ?? reached, real.error);
        return { subject: real.id, data: messageStatusData(real, reached, error, nowMs) };
      }
      const to = named('to') ?? fakeData.phone();
      const made = { id: id ?? ids.uuid('channel'), wamid: ids.wamid(to, 'channel'), customer: to, type: 'template' };
      const error = errorOf(named('status') ?? '', null);
      return { subject: made.id, data: messageStatusData(made, 'delivered', error, nowMs) };
    }
    case 'otp.verified': {
      const id = named('otp_id');
      const real = id === undefined ? tables.otps.all().at(-1) : tables.otps.get(id);
      const otp = real ?? { id: id ?? ids.uuid('channel'), to: named('to') ?? fakeData.phone() };
      return { subject: otp.id, data: otpVerifiedData(otp, nowMs) };
    }
    case 'template.status': {
      const id = named('template_id');
      const real = id === undefined ? tables.templates.all().at(-1) : tables.templates.get(id);
      const decided = real?.status === 'rejected' ? 'rejected' : 'approved';
      const rejected = (named('status') ?? decided) === 'rejected';
      const made = {
        id: id ?? real?.id ?? ids.uuid('channel'),
        name: real?.name ?? 'order_shipped',
        language: real?.language ?? 'en',
        category: real?.category ?? ('utility' as const),
        status: decided,
        rejectionReason: rejected ? (real?.rejectionReason ?? generalReason) : null,
      } as const;
      return { subject: made.id, data: templateStatusData(made, nowMs) };
    }
  }
}
