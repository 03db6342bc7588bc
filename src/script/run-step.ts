/** Runs what a scenario's timeline says (contract §5). A step that is not possible any more is passed over. */
import type { Account } from '../account/account.js';
import { customerWrites, seeCustomer } from '../channel/customer-writes.js';
import { madeUpEvent } from '../channel/made-up-event.js';
import { reportStatus } from '../channel/report-status.js';
import { moveTemplate, reviewTemplate } from '../channel/review-template.js';
import { findChannelError } from '../domain/channel-errors.js';
import { windowLengthMs } from '../domain/customer.js';
import type { Explain } from '../domain/explain.js';
import type { Job } from '../domain/job.js';
import { mayMove } from '../domain/message.js';
import { mayBecome } from '../domain/template.js';
import { compileWebhook } from '../scenarios/compile-slots.js';
import type { EmitAction, MessageAction, TemplateAction } from '../scenarios/schema/timeline.js';
import type { TimelineAction } from '../scenarios/timeline.js';
import { lastSent } from '../store/filters.js';
import { resumeEndpoint } from '../webhooks/endpoints.js';
import { planOf } from '../webhooks/faults/plan.js';
import { pause } from '../webhooks/settle-attempt.js';

export function runStep(account: Account, job: Job): undefined {
  const action = job.data as TimelineAction;
  switch (action.kind) {
    case 'inbound':
      customerWrites(account, action.inbound);
      break;
    case 'template':
      actOnTemplate(account, action.template);
      break;
    case 'emit':
      emit(account, action.emit, job);
      break;
    case 'message':
      report(account, action.message);
      break;
    case 'window':
      setWindow(account, action.window);
      break;
    case 'webhook':
      setEndpoint(account, action.webhook);
      break;
  }
}

function actOnTemplate(account: Account, { name, status, reason }: TemplateAction): void {
  const template = account.store.tables.templates.list('name', name).last();
  if (!template) return;
  if (template.status === 'pending' && (status === 'approved' || status === 'rejected')) {
    reviewTemplate(account, template, { decision: status, reason: reason ?? null, eventLagMs: 0, later: [] });
  } else if (status !== 'rejected' && mayBecome(template.status, status)) {
    moveTemplate(account, template, status);
  }
}

const byTimeline: Explain = { by: 'header', id: 'timeline', text: "The scenario's timeline emitted it so." };

function emit(account: Account, { type, data, alias, webhook }: EmitAction, { dueMs }: Job): void {
  const made = madeUpEvent(account, type, data ?? {});
  const endpoint = alias === undefined ? undefined : account.store.tables.endpoints.list('alias', alias).last();
  if (alias !== undefined && !endpoint) return;
  const offsetMs = dueMs - (account.script.activatedAtMs ?? 0);
  account.events.append(type, made.subject, made.data, {
    ...(endpoint && { endpointId: endpoint.id }),
    ...(webhook && {
      plan: planOf(
        compileWebhook(webhook)((label) => account.script.draw('timeline', offsetMs, label)),
        byTimeline,
      ),
    }),
  });
}

function report(account: Account, { to, status, error }: MessageAction): void {
  const message = lastSent(account.store.tables, to);
  if (!message || !mayMove(message.status, status)) return;
  const failure = status === 'failed' ? findChannelError(error ?? 'undeliverable') : undefined;
  reportStatus(
    account,
    message,
    status,
    failure && { code: failure.code, message: failure.message, channel_code: failure.channelCode },
  );
}

function setWindow(account: Account, { phone, open }: { phone: string; open: boolean }): void {
  const nowMs = account.clock.now();
  const customer = seeCustomer(account, phone);
  account.store.tables.customers.patch(customer, { windowClosesAtMs: open ? nowMs + windowLengthMs : nowMs });
}

function setEndpoint(account: Account, { alias, status }: { alias: string; status: 'active' | 'paused' }): void {
  const { store, scheduler, clock } = account;
  const endpoint = store.tables.endpoints.list('alias', alias).last();
  if (!endpoint || endpoint.status === status) return;
  if (status === 'active') resumeEndpoint(account, endpoint);
  else pause({ store, scheduler, now: () => clock.now() }, endpoint, "Paused by the scenario's timeline.");
}
