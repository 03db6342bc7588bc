/** A template as it must look when it comes from outside. */
import type { Template, TemplateCategory, TemplateEntry, TemplateStatus } from '../../../domain/template.js';
import { anything, count, type Fields, instant, listOf, oneOf, optional, orNull, record, text } from '../check.js';
import { explain, hand, rowFields } from './parts.js';

const status = oneOf<TemplateStatus>({ pending: true, approved: true, rejected: true, paused: true, deleted: true });

export const templateFields: Fields<Template> = {
  ...rowFields,
  name: text,
  category: oneOf<TemplateCategory>({ marketing: true, utility: true, authentication: true }),
  language: text,
  body: orNull(text),
  buttons: optional(listOf(anything)),
  status,
  history: optional(listOf(record<TemplateEntry>({ status, atMs: instant, by: optional(hand) }))),
  rejectionReason: orNull(text),
  createdAtMs: instant,
  approvedSeq: orNull(count),
  explain,
};
