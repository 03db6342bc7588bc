/** What the run showed: how much of the contract it exercised, and the verdict on the scenario's expectations (contract §4). */
import { ServiceError } from '../../domain/errors.js';
import { coverageCatalogue } from '../../reports/coverage/catalogue.js';
import { coverageJunit, coverageMarkdown, coverageOf } from '../../reports/coverage/report.js';
import { verdictJunit } from '../../reports/verdict.js';
import { verdictOf } from '../../scenario/runtime/judge-step.js';
import { TextAnswer, type ControlHandlers } from './handler.js';

export const reports: ControlHandlers = {
  getCoverage: ({ account, query, service }) => {
    const coverage = coverageOf(coverageCatalogue(service.documents.api), account.coverage);
    if (query['format'] === 'markdown')
      return new TextAnswer(coverageMarkdown(coverage), 'text/markdown; charset=utf-8');
    if (query['format'] === 'junit') return new TextAnswer(coverageJunit(coverage), 'application/xml; charset=utf-8');
    return coverage;
  },

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
