/** A report changes the stored status and fires `message.status`, in one write. */
import type { Account } from '../account/account.js';
import { messageErrorOf } from '../domain/errors.js';
import { messageStatusData } from '../domain/event.js';
import type { Actor, MessageStatus } from '../domain/words.js';
import type { Job, JobData, Message, MessageError } from '../domain/rows.js';
import { mayMove, moved } from '../domain/message.js';
import type { LifecyclePlan } from '../rules/effects.js';
import { appendEvent } from '../webhooks/events.js';

/** With `outOfOrder`, the event fires although the stored status cannot change. */
type PlannedReport = JobData['message.status'];

/** Counted from acceptance. Call it only inside a write. */
export function planLifecycle(account: Account, message: Message, plan: LifecyclePlan): void {
  let reached: Message['status'] = 'accepted';
  for (const step of plan) {
    const inOrder = mayMove(reached, step.status);
    if (inOrder) reached = step.status;
    const report: PlannedReport = {
      status: step.status,
      ...(step.error && { error: messageErrorOf(step.error) }),
      ...(!inOrder && { outOfOrder: true }),
    };
    account.scheduler.schedule('message.status', message.id, message.createdAtMs + step.offsetMs, report);
  }
}

/** Skips a step that a manual report has overtaken. */
export function runReport(account: Account, job: Job): undefined {
  const message = account.store.tables.messages.get(job.subject);
  if (!message) return;
  const report = job.data as PlannedReport;
  if (report.outOfOrder) fireStatus(account, message, report.status, report.error ?? null);
  else if (mayMove(message.status, report.status)) reportStatus(account, message, report.status, report.error);
}

/** The caller has checked that the transition is legal. Call it only inside a write. */
export function reportStatus(
  account: Account,
  message: Message,
  status: MessageStatus,
  error?: MessageError,
  by?: Actor,
): void {
  const { messages } = account.store.tables;
  messages.patch(message, moved(message, status, account.clock.now(), error, by));
  fireStatus(account, message, status, error ?? null);
}

/** Only messages of POST /v1/messages have events: the status of a message with a code changes without one. */
function fireStatus(account: Account, message: Message, status: MessageStatus, error: MessageError | null): void {
  if (message.origin !== 'api') return;
  const data = messageStatusData(message, status, error, account.clock.now());
  appendEvent(account, 'message.status', message.id, data);
}
