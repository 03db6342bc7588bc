import type { Account } from '../account/account.js';
import { windowLengthMs } from '../domain/customer.js';
import { findChannelError, messageErrorOf } from '../domain/errors.js';
import { isoTime } from '../domain/instant.js';
import { mayMove } from '../domain/message.js';
import type { Explain, Job } from '../domain/rows.js';
import { mayBecome } from '../domain/template.js';
import { findOrCreateCustomer } from '../simulation/customer-writes.js';
import { emitEvent } from '../simulation/fake-event.js';
import { reportStatus } from '../simulation/report-status.js';
import { moveTemplate, reviewTemplate } from '../simulation/review-template.js';
import { lastSent } from '../store/account-data.js';
import { formatDuration } from '../time/duration.js';
import { redeliver } from '../webhooks/redeliver.js';
import { resumeEndpoint } from '../webhooks/endpoints.js';
import { createDelivery } from '../webhooks/events.js';
import { plainPlan, planOf } from '../webhooks/faults.js';
import { pause } from '../webhooks/outcome.js';
import { webhookEffect } from '../rules/effects.js';
import type { TimelineAction } from '../rules/timeline.js';
import { inbound, type Reason, type Unmet } from './customer-step.js';
import { methodOf } from '../language/calls.js';
import type { Actions } from '../language/timeline.js';

export function runStep(account: Account, job: Job): string | undefined {
  const action = job.data as TimelineAction;
  const run = runs[action.kind] as (account: Account, action: unknown, job: Job) => Reason;
  const reason = run(account, (action as Partial<Actions>)[action.kind], job);
  if (typeof reason === 'string') return passOver(account, job, reason);
  if (reason !== undefined) noteUnmet(account, job, reason);
  return undefined;
}

export function noteUnmet(account: Account, job: Job, unmet: Unmet): void {
  const { store, script } = account;
  if (!script.active) return;
  const all = [
    ...(script.active.unmet ?? []),
    { passed: false, ...unmet, at: `+${formatDuration(offsetOf(account, job))}` },
  ];
  store.tables.scenarios.patch(script.active, { unmet: all });
}

/** Checks can refer to the time of a step. Call it only inside a write. */
export function noteBegin({ store, clock, script: { active } }: Account, job: Job): void {
  const { id } = job.data as TimelineAction;
  if (id === undefined || !active || active.played?.some((one) => one.id === id) === true) return;
  const step = { id, atMs: clock.now(), seq: store.nextSeq() };
  store.tables.scenarios.patch(active, { played: [...(active.played ?? []), step] });
}

export function passOver({ store, script: { active } }: Account, job: Job, reason: string): string {
  const { kind } = job.data as TimelineAction;
  const text = `The step "${kind}" of the timeline at ${isoTime(job.dueMs)} was skipped: ${reason}.`;
  if (active) store.tables.scenarios.patch(active, { passedOver: [...(active.passedOver ?? []), text] });
  return text;
}

const runs: { readonly [K in keyof Actions]: (account: Account, action: Actions[K], job: Job) => Reason } = {
  inbound: (account, written, job) => inbound(account, written, byTimeline(account, job, 'let the customer write')),
  template: actOnTemplate,
  emit,
  message: report,
  window: setWindow,
  webhook: setEndpoint,
  replay,
  http: (_, http) => notReached(`${methodOf(http)} ${http.url}`, 'a call of a user'),
  restart: () => 'only "scenario run --app" and "explore" start the application',
  // No application is needed to wait.
  wait: () => undefined,
  until: (_, state) => notReached(`until ${Object.keys(state).join(', ')}`, 'the state that is waited for'),
};

export const unknownAddress = 'the address of the application is unknown; give it in SANDBOX_APPLICATION_URL';

const notReached = (that: string, expected: string): Unmet => ({
  that,
  expected,
  found: `not played: ${unknownAddress}`,
});

function actOnTemplate(account: Account, { name, status, because }: Actions['template']): Reason {
  const template = account.store.tables.templates.all().findLast((row) => row.name === name);
  if (!template) return `there is no template "${name}"`;
  if (template.status === status) return undefined;
  if (template.status === 'pending' && (status === 'approved' || status === 'rejected')) {
    reviewTemplate(account, template, { decision: status, reason: because ?? null }, 'timeline');
  } else if (status !== 'rejected' && mayBecome(template.status, status)) {
    moveTemplate(account, template, status, 'timeline');
  } else {
    return `the template "${name}" is ${template.status} and cannot become ${status}`;
  }
  return undefined;
}

export function offsetOf({ script }: Account, { dueMs }: Job): number {
  return dueMs - (script.activatedAtMs ?? 0);
}

function byTimeline(account: Account, job: Job, did: string): Explain {
  const at = `+${formatDuration(offsetOf(account, job))}`;
  const text = `The timeline of scenario ${account.script.scenario?.name ?? ''} ${did}, at ${at}.`;
  return { by: 'header', id: 'timeline', text };
}

function emit(account: Account, { type, data, alias, webhook }: Actions['emit'], job: Job): Reason {
  const endpoint =
    alias === undefined ? undefined : account.store.tables.endpoints.all().findLast((row) => row.alias === alias);
  if (alias !== undefined && !endpoint) return noWebhook(alias);
  emitEvent(account, type, data ?? {}, {
    by: 'timeline',
    ...(endpoint && { endpointId: endpoint.id }),
    ...(webhook && {
      plan: planOf(
        webhookEffect(webhook, (label) => account.script.draw('timeline', offsetOf(account, job), label)),
        byTimeline(account, job, 'set the faults of this event'),
      ),
    }),
  });
  return undefined;
}

function report(account: Account, { phone, status, error }: Actions['message']): Reason {
  const message = lastSent(account.store.tables, phone);
  if (!message) return `no message was sent to ${phone}`;
  if (message.status === status) return undefined;
  if (!mayMove(message.status, status))
    return `the message to ${phone} is ${message.status} and cannot become ${status}`;
  const failure = status === 'failed' ? findChannelError(error ?? 'undeliverable') : undefined;
  reportStatus(account, message, status, failure && messageErrorOf(failure), 'timeline');
  return undefined;
}

function setWindow(account: Account, window: Actions['window'], { data }: Job): Reason {
  const nowMs = account.clock.now();
  const customer = findOrCreateCustomer(account, (data as TimelineAction).phone ?? '');
  const windowClosesAtMs = window === 'open' ? nowMs + windowLengthMs : nowMs;
  account.store.tables.customers.patch(customer, { windowClosesAtMs });
  return undefined;
}

function setEndpoint(account: Account, { alias, status, secret }: Actions['webhook']): Reason {
  const { endpoints } = account.store.tables;
  const found = [...endpoints.all()];
  const named = alias === undefined ? found : found.filter((row) => row.alias === alias).slice(-1);
  if (named.length === 0) return alias === undefined ? 'there is no endpoint' : noWebhook(alias);
  for (const one of named) {
    const endpoint = secret === undefined ? one : endpoints.patch(one, { secret });
    if (status === undefined || endpoint.status === status) continue;
    if (status === 'active') resumeEndpoint(account, endpoint);
    else pause(account, endpoint, "Paused by the scenario's timeline.");
  }
  return undefined;
}

/** Includes held deliveries and copies, in one order. */
function replay(account: Account, { alias, duplicate = 0, shuffle = false }: Actions['replay'], job: Job): Reason {
  const { store, script } = account;
  const { deliveries, events, endpoints } = store.tables;
  const only = alias === undefined ? undefined : endpoints.all().findLast((row) => row.alias === alias);
  if (alias !== undefined && !only) return noWebhook(alias);
  const plan = { ...plainPlan, explain: byTimeline(account, job, 'replayed it') };
  const waiting = [...deliveries.all()].filter(
    ({ state, endpointId }) =>
      (state === 'retrying' || state === 'pending' || state === 'held') &&
      (only === undefined || endpointId === only.id) &&
      endpoints.get(endpointId)?.status === 'active',
  );
  const runs = waiting.flatMap((delivery, position) => {
    const [event, endpoint] = [events.get(delivery.eventId), endpoints.get(delivery.endpointId)];
    const copy = () => event && endpoint && createDelivery(account, event, endpoint, plan);
    return [() => redeliver(account, delivery, plan), ...Array.from({ length: duplicate }, () => copy)].map(
      (run, index) => ({ run, place: script.draw('replay', offsetOf(account, job), position, index) }),
    );
  });
  for (const { run } of shuffle ? runs.toSorted((a, b) => a.place - b.place) : runs) run();
  return undefined;
}

function noWebhook(alias: string): string {
  return `there is no endpoint with the alias "${alias}"`;
}
