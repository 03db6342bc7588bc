/** What the run showed: the verdict on the active scenario's expectations (contract §4). */
import { ServiceError } from '../../domain/errors.js';
import { verdictJunit } from '../../reports/verdict.js';
import { verdictOf } from '../../script/judge-step.js';
import { TextAnswer, type ControlHandlers } from './handler.js';

export const reports: ControlHandlers = {
  getVerdict: ({ account, query }) => {
    const verdict = verdictOf(account);
    if (!verdict) {
      throw new ServiceError(
        'not_found',
        'No scenario is active, so there is nothing to judge. Activate one with PUT /_sandbox/scenario.',
      );
    }
    return query['format'] === 'junit'
      ? new TextAnswer(verdictJunit(verdict), 'application/xml; charset=utf-8')
      : verdict;
  },
};
