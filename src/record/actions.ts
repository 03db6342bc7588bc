/**
 * Manual actions of the outside world. Effects of a rule, a magic number or a default are omitted, because they happen
 * again automatically.
 */
import { windowLengthMs } from '../domain/customer.js';
import { shownButtons, type Button } from '../domain/message.js';
import type { Message, Row, Template } from '../domain/rows.js';
import type { EmitAction, InboundAction, TimelineEntry } from '../language/timeline.js';
import type { JsonValue } from '../language/kit.js';
import type { WebhookSlot } from '../language/actions.js';
import type { Recording } from './recording.js';

export type What = Omit<TimelineEntry, 'at'>;

export interface Action {
  readonly atMs: number;
  /** An action without a record comes after everything else at its instant. */
  readonly seq: number;
  readonly what: What;
}

export function actionsOf(recording: Recording): Action[] {
  const actions = [
    ...inbound(recording),
    ...reports(recording),
    ...reviews(recording),
    ...emitted(recording),
    ...windows(recording),
  ];
  return actions.sort((a, b) => a.atMs - b.atMs || a.seq - b.seq);
}

function inbound({ account, within }: Recording): Action[] {
  const { messages, customers } = account.store.tables;
  return [...messages.all()]
    .filter((row) => within(row) && row.origin === 'inbound')
    .filter(({ explain }) => explain.by === 'default' || explain.id === 'timeline')
    .map(({ createdAtMs: atMs, seq, customer, type, content }) => {
      const name = customers.get(customer)?.profileName;
      const { text, media_url, interactive } = content;
      const tapped = interactive && 'title' in interactive ? interactive : undefined;
      const tap = tapped && tapOn(messages.list('customer', customer), tapped, seq);
      // A button that was never shown cannot be tapped in a story.
      if (tap === null) {
        const data = { from: customer, type, interactive: { ...tapped }, ...(text !== undefined && { text }) };
        return { atMs, seq, what: { emit: { type: 'message.received', data } } };
      }
      const written: InboundAction = {
        phone: customer,
        ...(type !== 'text' && { type: type as NonNullable<InboundAction['type']> }),
        ...(text !== undefined && { text }),
        ...(media_url !== undefined && { url: media_url }),
        ...tap,
        ...(typeof name === 'string' && { name }),
      };
      return { atMs, seq, what: { inbound: written } };
    });
}

/** Null if the button was not shown before. */
function tapOn(toCustomer: readonly Message[], { id, title }: Button, seq: number) {
  const shown = shownButtons(
    toCustomer.filter((message) => message.seq < seq),
    title,
  );
  const index = shown.findLastIndex((button) => button.id === id);
  if (index < 0) return null;
  return { button: title, ...(index < shown.length - 1 && { message: index + 1 }) };
}

function reports(recording: Recording): Action[] {
  return recording.account.store.tables.messages.all().flatMap((message) =>
    byHand(recording, message).flatMap(({ status, error, atMs, seq }): Action[] => {
      if (status === 'received' || status === 'accepted') return [];
      return [
        { atMs, seq, what: { message: { phone: message.customer, status, ...(error && { error: error.code }) } } },
      ];
    }),
  );
}

function reviews(recording: Recording): Action[] {
  return recording.account.store.tables.templates.all().flatMap((template) =>
    byHand(recording, template).flatMap(({ status, atMs, seq }): Action[] => {
      if (status === 'pending') return [];
      const reason = status === 'rejected' ? template.rejectionReason : null;
      const move = { name: template.name, status, ...(reason !== null && { because: reason }) };
      return [{ atMs, seq, what: { template: move } }];
    }),
  );
}

function byHand<Change extends NonNullable<Message['history'] | Template['history']>[number]>(
  { account, within, startMs, endMs }: Recording,
  row: Row & { readonly history?: readonly Change[] | undefined },
): (Change & { readonly seq: number })[] {
  return (row.history ?? []).flatMap((change) => {
    const { by, atMs, status } = change;
    if (by === undefined || atMs < startMs || atMs > endMs) return [];
    const event = account.store.tables.events.find(
      ({ subject, createdAtMs, data }) => subject === row.id && createdAtMs === atMs && data['status'] === status,
    );
    // Without an event, only the instant shows when it happened: records from before the recording are given in their
    // state at that time.
    if (event ? !within(event) : atMs === startMs && !within(row)) return [];
    return [{ ...change, seq: event?.seq ?? Infinity }];
  });
}

/** Ids and instants belong to this run: in another run, an event is generated from the records that exist then. */
const ofThisRun = new Set(['message_id', 'wamid', 'otp_id', 'template_id', 'timestamp', 'verified_at']);

function emitted({ account, within }: Recording): Action[] {
  const { events, deliveries, endpoints } = account.store.tables;
  return [...events.all()]
    .filter((row) => within(row) && row.by !== undefined)
    .map((row) => {
      const data = Object.entries(row.data).filter(([name, value]) => !ofThisRun.has(name) && value !== null);
      const [delivery, ...copies] = [...deliveries.list('event', row.id)];
      const { fault } = delivery ?? {};
      const webhook: WebhookSlot = {
        ...(fault && fault.signature !== 'valid' && { signature: fault.signature }),
        ...(fault && fault.body !== 'exact' && { body: fault.body }),
        ...(fault && fault.simulate !== null && { receiver: { simulate: fault.simulate } }),
      };
      const alias = delivery && copies.length === 0 ? endpoints.get(delivery.endpointId)?.alias : undefined;
      const emit: EmitAction = {
        type: row.type,
        data: Object.fromEntries(data) as Record<string, JsonValue>,
        ...(alias !== undefined && endpoints.size > 1 && { alias }),
        ...(Object.keys(webhook).length > 0 && { webhook }),
      };
      return { atMs: row.createdAtMs, seq: row.seq, what: { emit } };
    });
}

/**
 * A window that closed less than 24 hours after the customer wrote was closed manually; the time of closing shows when.
 */
function windows({ account, scenario, startMs, endMs }: Recording): Action[] {
  const given = new Set(scenario?.given.customers.map(({ phone }) => phone));
  return [...account.store.tables.customers.all()].flatMap(
    ({ id: phone, seq, lastInboundAtMs, windowClosesAtMs: atMs }) => {
      // If a customer never wrote, a window that was opened in this part closes a day after its start at the earliest.
      if (atMs === null || atMs >= (lastInboundAtMs ?? startMs) + windowLengthMs) return [];
      return atMs < startMs || atMs > endMs || (given.has(phone) && atMs === startMs)
        ? []
        : [{ atMs, seq, what: { window: 'closed', phone } }];
    },
  );
}

/**
 * Windows that were opened manually leave no record. But if a free-form message was accepted although the customer had
 * not written for a day, the window was open.
 */
export function openedWindows({ account, scenario, within }: Recording): Action[] {
  if (scenario?.defaults.window === 'open') return [];
  const { customers, messages } = account.store.tables;
  const given = new Set(scenario?.given.customers.map(({ phone }) => phone));
  return [...customers.all()].flatMap(({ id: phone }) => {
    let closesMs = -Infinity;
    return [...messages.list('customer', phone)].flatMap(
      ({ origin, type, createdAtMs: atMs, seq, ...row }): Action[] => {
        if (origin === 'inbound') closesMs = atMs + windowLengthMs;
        if (origin !== 'api' || type === 'template' || atMs < closesMs || !within({ id: row.id, seq })) return [];
        closesMs = atMs + windowLengthMs;
        return given.has(phone) ? [] : [{ atMs, seq, what: { window: 'open', phone } }];
      },
    );
  });
}
