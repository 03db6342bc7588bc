import type { Account } from '../account/account.js';
import { windowLengthMs } from '../domain/customer.js';
import { findChannelError, messageErrorOf } from '../domain/errors.js';
import { isoTime } from '../domain/instant.js';
import { buttonsOf, mayMove, shownButtons, wasShown, type Button } from '../domain/message.js';
import type { Explain, Job, Message } from '../domain/rows.js';
import { mayBecome } from '../domain/template.js';
import { counted } from '../domain/text.js';
import { customerWrites, findOrCreateCustomer } from '../simulation/customer-writes.js';
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
import type { Judgement } from '../rules/expectations.js';
import type { TimelineAction } from '../rules/timeline.js';
import { methodOf, NOW, placeholdersIn } from '../language/calls.js';
import type { Actions } from '../language/timeline.js';

export function runStep(account: Account, job: Job): string | undefined {
  const action = job.data as TimelineAction;
  const run = runs[action.kind] as (account: Account, action: unknown, job: Job) => Reason;
  const reason = run(account, (action as Partial<Actions>)[action.kind], job);
  if (typeof reason === 'string') return passOver(account, job, reason);
  if (reason !== undefined) noteUnmet(account, job, reason);
  return undefined;
}

/** A step's unmet need: it fails the verdict, as a check does. */
export type Unmet = Pick<Judgement, 'that' | 'expected' | 'found'>;

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

/** Undefined if the action was done, now or earlier. */
type Reason = string | Unmet | undefined;

const runs: { readonly [K in keyof Actions]: (account: Account, action: Actions[K], job: Job) => Reason } = {
  inbound,
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

function inbound(account: Account, action: Actions['inbound'], job: Job): Reason {
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
  customerWrites(account, written, byTimeline(account, job, 'let the customer write'));
  return undefined;
}

function notShown({ phone, button = '', message }: Actions['inbound'], toCustomer: readonly Message[]): Unmet {
  const shown = shownButtons(toCustomer, button).length;
  const titles = new Set(
    toCustomer
      .filter(wasShown)
      .flatMap(buttonsOf)
      .map(({ title }) => JSON.stringify(title)),
  );
  const isMeant = (one: Button) => one.title === button || one.id === button;
  const hidden = toCustomer.findLast((one) => !wasShown(one) && buttonsOf(one).some(isMeant));
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
