/** A template with its review, as the control plane shows it. */
import { withHands } from '../../domain/explain.js';
import { isoTime } from '../../domain/instant.js';
import type { Job } from '../../domain/job.js';
import { type Template, templateBody } from '../../domain/template.js';

/** @param jobs what is planned for it */
export function showTemplate(template: Template, jobs: Iterable<Job>) {
  return {
    id: template.id,
    seq: template.seq,
    name: template.name,
    category: template.category,
    language: template.language,
    body: template.body,
    text: templateBody(template),
    buttons: template.buttons ?? [],
    status: template.status,
    template_type: 'standard',
    rejection_reason: template.rejectionReason,
    created_at: isoTime(template.createdAtMs),
    history: (template.history ?? []).map(({ status, atMs, ...more }) => ({ status, at: isoTime(atMs), ...more })),
    planned: planned(jobs),
    explain: withHands(template.explain, template.history ?? []),
  };
}

/** Reviews and later moves that lie ahead, soonest first. */
function planned(jobs: Iterable<Job>): { status: string; at: string }[] {
  return [...jobs]
    .sort((a, b) => a.dueMs - b.dueMs)
    .flatMap(({ kind, dueMs, data }) => {
      const { decision, status } = (data ?? {}) as { decision?: string; status?: string };
      const next = kind === 'template.review' ? decision : kind === 'template.move' ? status : undefined;
      return next === undefined ? [] : [{ status: next, at: isoTime(dueMs) }];
    });
}
