import type { Account } from '../account/account.js';
import { templateStatusData } from '../domain/event.js';
import type { Actor } from '../domain/words.js';
import type { Job, JobData, Template } from '../domain/rows.js';
import { inState } from '../domain/template.js';
import type { ReviewEffect } from '../rules/effects.js';
import { appendEvent } from '../webhooks/events.js';

/** The reason of a rejection without a given reason. */
export const generalReason = 'The template does not meet the content policy.';

type Verdict = JobData['template.review'];

/** A template can stay pending. Call it only inside a write. */
export function planReview(account: Account, template: Template, { decision, afterMs, reason }: ReviewEffect): void {
  if (decision === 'pending') return;
  account.scheduler.schedule('template.review', template.id, template.createdAtMs + afterMs, { decision, reason });
}

/** A command may have reviewed the template meanwhile. */
export function runReview(account: Account, job: Job): undefined {
  const template = account.store.tables.templates.get(job.subject);
  if (template?.status === 'pending') reviewTemplate(account, template, job.data as Verdict);
}

/** Call it only inside a write. */
export function reviewTemplate(account: Account, template: Template, verdict: Verdict, by?: Actor): void {
  const { store, scheduler, clock } = account;
  const approved = verdict.decision === 'approved';
  store.tables.templates.patch(template, {
    ...inState(template, verdict.decision, clock.now(), by),
    rejectionReason: approved ? null : (verdict.reason ?? generalReason),
    ...(approved && { approvedSeq: store.nextSeq() }),
  });
  scheduler.cancelOf(template.id, 'template.review');
  appendEvent(account, 'template.status', template.id, templateStatusData(template, clock.now()));
}

/**
 * Fires no event: `template.status` is for reviews only. Resuming is not an approval, so the default template for codes
 * stays the same. Call it only inside a write.
 */
export function moveTemplate(
  account: Account,
  template: Template,
  status: 'paused' | 'approved' | 'deleted',
  by?: Actor,
): void {
  const { store, scheduler, clock } = account;
  if (status === 'deleted') scheduler.cancelOf(template.id);
  store.tables.templates.patch(template, {
    ...inState(template, status, clock.now(), by),
    // Only a rejected template has a reason.
    rejectionReason: null,
  });
}
