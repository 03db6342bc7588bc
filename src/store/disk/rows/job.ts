/** A job as it must look when it comes from outside. */
import type { Job, JobKind } from '../../../domain/job.js';
import { count, type Fields, instant, oneOf, optional, plainJson, text } from '../check.js';
import { rowFields } from './parts.js';

export const jobFields: Fields<Job> = {
  ...rowFields,
  kind: oneOf<JobKind>({
    'message.status': true,
    'template.review': true,
    'template.move': true,
    'customer.writes': true,
    'scenario.step': true,
    'scenario.judge': true,
    'event.append': true,
    'delivery.attempt': true,
    'endpoint.pause': true,
  }),
  subject: text,
  dueMs: instant,
  data: optional(plainJson),
  place: optional(count),
};
