/** Templates: the actions of the platform owner. */
import type { Account } from '../../account/account.js';
import { moveTemplate, reviewTemplate } from '../../simulation/review-template.js';
import { ServiceError } from '../../domain/errors.js';
import { mayBecome, type Template } from '../../domain/template.js';
import { showTemplate } from '../../presenters/control/records.js';
import { templateList } from './set-up-fields.js';
import { listRows } from './filters.js';
import { found } from './given-values.js';
import type { ControlHandlers } from './handler.js';
import { settled } from './settle.js';

export const templates: ControlHandlers = {
  listStoredTemplates: (context) => listRows(templateList, context, showTemplateOf(context.account)),

  getStoredTemplate: ({ account, name: id }) => {
    return showTemplateOf(account)(found(account.store.tables.templates.get(id), 'template', id));
  },

  reviewTemplate: (context) =>
    settled(context, ({ account, name: id, body }) => {
      const { decision, reason = null } = body as { decision: 'approved' | 'rejected'; reason?: string };
      const template = found(account.store.tables.templates.get(id), 'template', id);
      if (template.status !== 'pending') {
        throw new ServiceError(
          'illegal_transition',
          `Only a pending template can be reviewed; "${template.name}" is ${template.status}.`,
        );
      }
      reviewTemplate(account, template, { decision, reason, eventLagMs: 0, later: [] }, 'command');
      return showTemplateOf(account)(template);
    }),

  setTemplateStatus: (context) =>
    settled(context, ({ account, name: id, body }) => {
      const { status } = body as { status: 'paused' | 'approved' | 'deleted' };
      const template = found(account.store.tables.templates.get(id), 'template', id);
      if (!mayBecome(template.status, status)) {
        throw new ServiceError(
          'illegal_transition',
          `A template that is ${template.status} cannot become ${status}. An approved template can be paused, a paused one approved, and every template deleted; a pending one needs a review.`,
        );
      }
      moveTemplate(account, template, status, 'command');
      return showTemplateOf(account)(template);
    }),
};

function showTemplateOf({ store }: Account) {
  return (template: Template) => showTemplate(template, store.tables.jobs.list('subject', template.id));
}
