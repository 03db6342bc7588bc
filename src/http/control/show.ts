/** The form of an account's records in the control plane and the live stream. */
import type { Account } from '../../account/account.js';
import type { Customer, Delivery, Job, Message, Otp, RuleHit, RunTimeRule, Template } from '../../domain/rows.js';
import { isoTime, isoTimeOrNull } from '../../domain/instant.js';
import { showDelivery, showDeliveryInList, showEvent } from '../../presenters/control/events.js';
import * as records from '../../presenters/control/records.js';
import type { LoadedRule } from '../../language/rule.js';
import { windowOf } from '../../simulation/customer-writes.js';

export const show = {
  message: (row: Message, { store }: Account) =>
    records.showMessage(row, store.tables.customers.get(row.customer)?.profileName ?? null),
  template: (row: Template, { store }: Account) => records.showTemplate(row, store.tables.jobs.list('subject', row.id)),
  otp: (row: Otp, { store, clock }: Account) =>
    records.showOtp(row, store.tables.templates.get(row.templateId), clock.now()),
  customer: (row: Customer, account: Account) =>
    records.showCustomer(row, account.store.tables.messages.list('customer', row.id).at(-1), windowOf(account, row.id)),
  delivery: (row: Delivery, { store: { tables } }: Account) =>
    showDelivery(row, tables.attempts.list('delivery', row.id), tables.events.get(row.eventId)),
  deliveryInList: (row: Delivery, { store: { tables } }: Account) =>
    showDeliveryInList(row, tables.attempts.list('delivery', row.id), tables.events.get(row.eventId)),
  rule: ({ rule, seq }: Pick<RunTimeRule, 'rule' | 'seq'>, { store }: Account) => {
    const { source, ...rest } = rule as LoadedRule;
    const hit = store.tables.ruleHits.get(rest.id);
    const place = source.file !== '' && { file: source.file, line: source.line };
    return { ...rest, seq, ...(hit ? showHit(hit) : { hits: 0, last_hit: null }), ...place };
  },
  job: (row: Job, account: Account) => {
    const { seq, kind, subject, dueMs } = row;
    return { seq, job: kind, subject, due: isoTime(dueMs), ...jobSubject(account, row, true) };
  },
  event: showEvent,
  endpoint: records.showEndpoint,
  request: records.showRequest,
  requestInList: records.showRequestInList,
};

export function showHit({ hits, atMs, subject }: RuleHit) {
  return { hits, last_hit: { at: isoTime(atMs), subject } };
}

export function showClock({ clock, scheduler }: Account) {
  const { mode, scale, quietMs, learns } = clock.state;
  return {
    now: isoTime(clock.now()),
    mode,
    scale,
    pending: scheduler.pending,
    next_due: isoTimeOrNull(scheduler.nextDueMs()),
    ...(quietMs !== undefined && { quiet_real: `${quietMs}ms`, learn: learns === true, quiet: scheduler.isQuiet }),
  };
}

/**
 * The subject of a job; a field is absent if it does not apply, or if its record no longer exists.
 * @param ahead The job has not run yet: its attempt is the next one.
 */
export function jobSubject({ store: { tables }, script }: Account, { kind, subject, data }: Job, ahead: boolean) {
  const { status, decision = status } = (data ?? {}) as { status?: string; decision?: string };
  const planned = decision !== undefined && { status: decision };
  switch (kind) {
    case 'message.status':
    case 'customer.writes':
      return { ...aboutMessage(tables.messages.get(subject)), ...planned };
    case 'template.review':
      return { ...named(tables.templates.get(subject)?.name), ...planned };
    case 'delivery.attempt': {
      const delivery = tables.deliveries.get(subject);
      const event = delivery && tables.events.get(delivery.eventId);
      if (!delivery || !event) return {};
      const { name, status: reported, to } = event.data as { name?: string; status?: string; to?: string };
      return {
        ...(event.type === 'otp.verified' ? { about: 'one-time code', ...(to !== undefined && { to }) } : named(name)),
        ...aboutMessage(tables.messages.get(event.subject)),
        ...(reported !== undefined && { status: reported }),
        event_type: event.type,
        webhook_id: delivery.endpointId,
        url: delivery.url,
        ...(ahead && { attempt: delivery.attemptCount + 1 }),
      };
    }
    case 'endpoint.pause': {
      const url = tables.endpoints.get(subject)?.url;
      return { ...named(url), webhook_id: subject, ...(url !== undefined && { url }) };
    }
    case 'scenario.step':
    case 'scenario.judge':
      return named(script.scenario?.name);
  }
}

function named(about: string | undefined) {
  return about === undefined ? {} : { about };
}

function aboutMessage(message: Message | undefined) {
  if (!message) return {};
  const { origin, type, content, customer } = message;
  return { about: origin === 'otp' ? 'one-time code' : (content.template?.name ?? type), to: customer };
}
