/** How the control plane and the live stream show the records of an account. */
import type { Account } from '../../account/account.js';
import type { Customer, Delivery, Message, Otp, RuleHit, RunTimeRule, Template } from '../../domain/rows.js';
import { isoTime } from '../../domain/instant.js';
import { showMessage } from '../../presenters/control/records.js';
import { showDelivery, showEvent } from '../../presenters/control/events.js';
import * as records from '../../presenters/control/records.js';
import type { LoadedRule } from '../../scenario/schema/rule.js';
import { windowOf } from '../../simulation/customer-writes.js';

export const show = {
  message: (row: Message, { store }: Account) =>
    showMessage(row, store.tables.customers.get(row.customer)?.profileName ?? null),
  template: (row: Template, { store }: Account) => records.showTemplate(row, store.tables.jobs.list('subject', row.id)),
  otp: (row: Otp, { store, clock }: Account) =>
    records.showOtp(row, store.tables.templates.get(row.templateId), clock.now()),
  customer: (row: Customer, account: Account) =>
    records.showCustomer(row, account.store.tables.messages.list('customer', row.id).at(-1), windowOf(account, row.id)),
  delivery: (row: Delivery, { store: { tables } }: Account) =>
    showDelivery(row, tables.attempts.list('delivery', row.id), tables.events.get(row.eventId)),
  rule: ({ rule, seq }: Pick<RunTimeRule, 'rule' | 'seq'>, { store }: Account) => {
    const { source, ...rest } = rule as LoadedRule;
    const hit = store.tables.ruleHits.get(rest.id);
    const place = source.file !== '' && { file: source.file, line: source.line };
    return { ...rest, seq, ...(hit ? showHit(hit) : { hits: 0, last_hit: null }), ...place };
  },
  event: showEvent,
  endpoint: records.showEndpoint,
  request: records.showRequest,
  requestInList: records.showRequestInList,
};

/** How often a rule applied, and the last time. */
export function showHit({ hits, atMs, subject }: RuleHit) {
  return { hits, last_hit: { at: isoTime(atMs), subject } };
}
