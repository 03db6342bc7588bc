/** A message or tap of a customer opens the window and creates a `message.received` event. */
import type { Account } from '../account/account.js';
import type { Customer, Event, Explain, Job, JobData, Message, MessageContent } from '../domain/rows.js';
import { windowLengthMs, type WindowState } from '../domain/customer.js';
import { messageReceivedData } from '../domain/event.js';
import { buttonsOf } from '../domain/message.js';
import type { InboundEffect, LifecyclePlan, Winner } from '../rules/effects.js';
import { magicWindow } from '../rules/magic-numbers.js';
import { lastSent } from '../store/account-data.js';
import { appendEvent, type AppendOptions } from '../webhooks/events.js';

type PlannedInbound = JobData['customer.writes'];
export type Inbound = Omit<PlannedInbound, 'explain'>;

/** Created at the first contact in either direction. Call it only inside a write. */
export function findOrCreateCustomer(account: Account, phone: string): Customer {
  const { customers } = account.store.tables;
  return (
    customers.get(phone) ??
    customers.insert({
      id: phone,
      seq: account.store.nextSeq(),
      profileName: null,
      lastInboundAtMs: null,
      windowClosesAtMs: null,
    })
  );
}

/** Call it only inside a write. A missing text, name or media address is generated. */
export function customerWrites(
  account: Account,
  inbound: Inbound,
  explain: Explain,
  how: AppendOptions = {},
): { message: Message; event: Event; customer: Customer } {
  const { store, ids, clock } = account;
  store.requireRoom();
  const nowMs = clock.now();
  const type = typeOf(inbound);
  const customer = noteInbound(account, inbound.from, inbound.profile_name);
  const id = ids.uuid('channel');
  const content = contentOf(account, inbound, id);
  const wamid = ids.wamid(inbound.from, 'channel');
  const message = storeInbound(account, { id, wamid, customer: inbound.from, type, content }, explain);
  const event = appendEvent(
    account,
    'message.received',
    message.id,
    messageReceivedData(message, customer.profileName, nowMs),
    how,
  );
  return { message, event, customer };
}

/** Call it only inside a write. */
export function storeInbound(
  { store, clock }: Account,
  { id, wamid, customer, type, content }: Pick<Message, 'id' | 'wamid' | 'customer' | 'type' | 'content'>,
  explain: Explain,
): Message {
  const nowMs = clock.now();
  return store.tables.messages.insert({
    ...{ id, seq: store.nextSeq(), wamid, origin: 'inbound', customer, type, content },
    ...{ status: 'received', error: null, createdAtMs: nowMs },
    history: [{ status: 'received', atMs: nowMs }],
    explain,
  });
}

/** Call it only inside a write. */
export function noteInbound(account: Account, from: string, name: string | undefined): Customer {
  const { store, fakeData, clock } = account;
  const nowMs = clock.now();
  const seen = findOrCreateCustomer(account, from);
  return store.tables.customers.patch(seen, {
    profileName: name ?? seen.profileName ?? fakeData.profileName(),
    lastInboundAtMs: nowMs,
    windowClosesAtMs: nowMs + windowLengthMs,
  });
}

/** Missing required properties are generated. */
export function contentOf({ fakeData, store }: Account, inbound: Inbound, id: string): MessageContent {
  const type = typeOf(inbound);
  const mediaUrl = inbound.media_url ?? fakeMediaUrl(type, id);
  const interactive = inbound.interactive ?? (type === 'interactive' ? someButton(store, inbound.from) : undefined);
  return {
    ...(type === 'text' && { text: inbound.text ?? fakeData.sentence() }),
    ...(type !== 'text' && inbound.text !== undefined && { text: inbound.text }),
    ...(mediaUrl !== undefined && { media_url: mediaUrl }),
    ...(interactive && { interactive }),
  };
}

/** The latest button that the customer can tap, or a generated one. */
function someButton({ tables }: Account['store'], customer: string): { id: string; title: string } {
  const message = lastSent(tables, customer);
  return (message && buttonsOf(message)[0]) ?? { id: 'yes', title: 'Yes' };
}

/** By default, the type follows from the given properties. */
export function typeOf({ type, interactive, media_url }: Omit<Inbound, 'from'>): string {
  return type ?? (interactive ? 'interactive' : media_url === undefined ? 'text' : 'image');
}

/** One address for each message, in a domain that cannot exist. The sandbox never fetches it. */
function fakeMediaUrl(type: string, id: string): string | undefined {
  if (type === 'image') return `https://media.sandbox/${id}.jpg`;
  return type === 'document' ? `https://media.sandbox/${id}.pdf` : undefined;
}

/**
 * After the acceptance of the message, or after its delivery if that is later. Call it only inside a write. Returns the
 * reason for no reply, as a clause.
 */
export function planAnswer(
  account: Account,
  message: Message,
  { effect, explain }: Winner<'inbound'>,
  plan: LifecyclePlan,
): string | undefined {
  const inbound = answerTo(message, effect);
  if (!inbound) return `button ${effect.button ?? ''} is to be tapped, but the message does not have it`;
  const delivered = plan.find(({ status }) => status === 'delivered' || status === 'read');
  if (!delivered) return 'the message will not be delivered';
  const afterMs = effect.afterMs + (effect.afterMs < delivered.offsetMs ? delivered.offsetMs : 0);
  const planned: PlannedInbound = { ...inbound, explain };
  account.scheduler.schedule('customer.writes', message.id, message.createdAtMs + afterMs, planned);
  return undefined;
}

/** A tap on a message without that button has no effect. */
function answerTo(message: Message, answer: InboundEffect): Inbound | null {
  const { text } = answer;
  if (answer.button === undefined) return { from: message.customer, ...(text !== undefined && { text }) };
  const button = buttonsOf(message)[answer.button - 1];
  return button ? { from: message.customer, type: 'interactive', interactive: button } : null;
}

/** A message that has failed meanwhile or was never delivered gets no reply. */
export function runAnswer(account: Account, job: Job): undefined {
  const status = account.store.tables.messages.get(job.subject)?.status;
  if (status !== 'delivered' && status !== 'read') return;
  const { explain, ...inbound } = job.data as PlannedInbound;
  customerWrites(account, inbound, explain);
}

/**
 * A window that messages or a command have set takes precedence, then the magic number, then `defaults.window`. The
 * window of the number that is always closed never opens.
 */
export function windowOf({ store, script, clock }: Account, phone: string): WindowState {
  const magic = magicWindow(phone);
  if (magic === 'closed') return { open: false, closesAtMs: null };
  const closesAtMs = store.tables.customers.get(phone)?.windowClosesAtMs ?? null;
  if (closesAtMs !== null) return { open: clock.now() < closesAtMs, closesAtMs };
  return { open: magic === 'open' || script.windowOpenByDefault, closesAtMs: null };
}
