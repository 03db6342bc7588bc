/** The platform owner reviews a template, and may pause or delete it later. */
import type { Account } from '../account/account.js';
import { templateStatusData } from '../domain/event.js';
import type { Actor } from '../domain/words.js';
import type { Job } from '../domain/job.js';
import { inState, mayBecome, type Template } from '../domain/template.js';
import type { ReviewEffect } from '../scenario/engine/compile-slots.js';

/** The reason of a rejection without a given reason. */
export const generalReason = 'The template does not meet the content policy.';

type Verdict = Pick<ReviewEffect, 'reason' | 'eventLagMs' | 'later'> & { readonly decision: 'approved' | 'rejected' };

/** Schedules the review of a new template. Call it only inside a write. */
export function planReview(account: Account, template: Template, review: ReviewEffect): void {
  const dueMs = template.createdAtMs + review.afterMs;
  if (review.decision === 'never') {
    planMoves(account, template, review.later, template.createdAtMs);
  } else {
    const { decision, reason, eventLagMs, later } = review;
    account.scheduler.schedule('template.review', template.id, dueMs, { decision, reason, eventLagMs, later });
  }
}

/** Runs a `template.review` job, unless a command has reviewed the template meanwhile. */
export function runReview(account: Account, job: Job): undefined {
  const template = account.store.tables.templates.get(job.subject);
  if (template?.status === 'pending') reviewTemplate(account, template, job.data as Verdict);
}

/**
 * Decides a pending template and fires `template.status`, immediately or after the lag. Call it only inside a write.
 * @param by the source of the change, if it was not planned
 */
export function reviewTemplate(account: Account, template: Template, verdict: Verdict, by?: Actor): void {
  const { store, scheduler, clock } = account;
  const approved = verdict.decision === 'approved';
  store.tables.templates.patch(template, {
    ...inState(template, verdict.decision, clock.now(), by),
    rejectionReason: approved ? null : (verdict.reason ?? generalReason),
    ...(approved && { approvedSeq: store.nextSeq() }),
  });
  scheduler.cancelOf(template.id, 'template.review');
  const data = templateStatusData(template, clock.now());
  if (verdict.eventLagMs > 0) {
    scheduler.schedule('event.append', template.id, clock.now() + verdict.eventLagMs, {
      type: 'template.status',
      data,
    });
  } else {
    account.events.append('template.status', template.id, data);
  }
  planMoves(account, template, verdict.later, clock.now());
}

function planMoves(account: Account, template: Template, moves: ReviewEffect['later'], fromMs: number): void {
  for (const move of moves) {
    account.scheduler.schedule('template.move', template.id, fromMs + move.afterMs, { status: move.status });
  }
}

/** Runs a `template.move` job, a later pause or deletion; skips one that is no longer possible. */
export function runMove(account: Account, job: Job): undefined {
  const template = account.store.tables.templates.get(job.subject);
  const { status } = job.data as { status: 'paused' | 'approved' | 'deleted' };
  if (template && mayBecome(template.status, status)) moveTemplate(account, template, status);
}

/**
 * Pauses, resumes or deletes a template. Fires no event: `template.status` is for reviews only. Resuming is not an
 * approval, so the default template for codes stays the same. Call it only inside a write.
 * @param by the source of the change, if it was not planned
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
