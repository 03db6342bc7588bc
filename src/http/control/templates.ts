/** Templates: the actions of the platform owner. */
import { moveTemplate, reviewTemplate } from '../../simulation/review-template.js';
import { ServiceError } from '../../domain/errors.js';
import { mayBecome } from '../../domain/template.js';
import { found } from './given-values.js';
import type { ControlHandlers } from './handler.js';
import { settled } from './wait.js';
import { show } from './show.js';

export const templates: ControlHandlers = {
  reviewTemplate: (context) =>
    settled(context, ({ account, name: id, body }) => {
      const { decision, reason = null } = body as { decision: 'approved' | 'rejected'; reason?: string };
      const template = found(account, 'templates', id);
      if (template.status !== 'pending') {
        throw new ServiceError(
          'illegal_transition',
          `Only a pending template can be reviewed; "${template.name}" is ${template.status}.`,
        );
      }
      reviewTemplate(account, template, { decision, reason }, 'command');
      return show.template(template, account);
    }),

  setTemplateStatus: (context) =>
    settled(context, ({ account, name: id, body }) => {
      const { status } = body as { status: 'paused' | 'approved' | 'deleted' };
      const template = found(account, 'templates', id);
      if (!mayBecome(template.status, status)) {
        throw new ServiceError(
          'illegal_transition',
          `A template that is ${template.status} cannot become ${status}. An approved template can be paused, a paused one approved, and every template deleted; a pending one needs a review.`,
        );
      }
      moveTemplate(account, template, status, 'command');
      return show.template(template, account);
    }),
};
