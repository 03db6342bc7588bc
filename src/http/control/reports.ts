/** Coverage of the API, the verdict on the scenario's expectations, and recordings of the account's history. */
import type { Account } from '../../account/account.js';
import { invalidField, ServiceError } from '../../domain/errors.js';
import type { RecordFormat } from '../../record/record.js';
import { coverageCatalogue } from '../../reports/coverage/catalogue.js';
import { coverageJunit, coverageMarkdown, coverageOf, unknownChoice } from '../../reports/coverage/report.js';
import * as verdicts from '../../reports/verdict.js';
import { verdictOf } from '../../scenario/runtime/verdict.js';
import { inTurns } from '../../time/turns.js';
import { calledUrl, TextResponse, type ControlHandlers, type ControlService } from './handler.js';

export const reports: ControlHandlers = {
  getCoverage: ({ account, query, service }) => {
    const catalogue = coverageCatalogue(service.documents.api);
    const [include, ignore] = [listed(query['include']), listed(query['ignore'])];
    for (const [field, names] of Object.entries({ include, ignore })) {
      const wrong = unknownChoice(catalogue, names);
      if (wrong !== null) throw invalidField(field, wrong);
    }
    const coverage = coverageOf(catalogue, account.coverage, { include, ignore });
    return written(query['format'], coverage, { markdown: coverageMarkdown, junit: coverageJunit });
  },

  getExploration: ({ account }) => account.exploration.shown ?? { state: 'none', progress: null, report: null },

  putExplorationReport: ({ body, service }) => {
    service.explorationReport.html = body as string;
    return undefined;
  },

  getVerdict: (context) => {
    const { account, query, service } = context;
    const base = calledUrl(context);
    const wanted = query['accounts'];
    if (typeof wanted === 'string') {
      const verdict = ofAccounts(account, wanted, service);
      return written(query['format'], verdict, {
        markdown: (each) => verdicts.accountsMarkdown(each, base),
        junit: (each) => verdicts.accountsJunit(each, base),
      });
    }
    const verdict = verdictOf(account);
    if (!verdict) throw new ServiceError('not_found', `No scenario is active, ${nothingToJudge}`);
    return written(query['format'], verdict, {
      markdown: (one) => verdicts.verdictMarkdown(one, base),
      junit: (one) => verdicts.verdictJunit(one, base),
    });
  },

  getRecording: async (context) => {
    const { account, query, service } = context;
    const { record } = await import('../../record/record.js');
    const steps = record(account, {
      format: query['format'] as RecordFormat,
      from: query['from'] as number | undefined,
      to: query['to'] as number | undefined,
      url: calledUrl(context),
      version: service.version,
    });
    const { text, contentType } = await inTurns(steps, service.host);
    return new TextResponse(text, contentType);
  },
};

const nothingToJudge = 'so there is nothing to evaluate. Activate one with PUT /_sandbox/scenario.';

function ofAccounts(caller: Account, wanted: string, { accounts }: ControlService): verdicts.AccountsVerdict {
  const prefix = wanted === 'all' ? '' : wanted.slice(0, -1);
  const chosen = [...accounts.all()].filter(({ key }) => key.startsWith(prefix));
  // A prefix names the caller's account, too; all accounts are meant without one that only asks.
  const verdict = verdicts.judgeAccounts(chosen, prefix === '' ? caller : null);
  if (verdict) return verdict;
  const which = prefix === '' ? 'any account' : `any account whose key starts with "${prefix}"`;
  throw new ServiceError('not_found', `No scenario is active in ${which}, ${nothingToJudge}`);
}

function listed(value: unknown): string[] {
  return typeof value === 'string' ? value.split(',').map((name) => name.trim()) : [];
}

function written<Report extends object>(
  format: unknown,
  report: Report,
  as: { markdown: (report: Report) => string; junit: (report: Report) => string },
) {
  if (format === 'markdown') return new TextResponse(as.markdown(report), 'text/markdown; charset=utf-8');
  if (format === 'junit') return new TextResponse(as.junit(report), 'application/xml; charset=utf-8');
  return report;
}
