/**
 * Coverage of the API, the verdict on the scenario's expectations, and recordings of the account's history. What writes
 * them is loaded when needed, because a start does not need it.
 */
import type { Account } from '../../account/account.js';
import { ServiceError } from '../../domain/errors.js';
import { judgeAccounts, verdictOf, type AccountsVerdict } from '../../scenario/run/verdict.js';
import { calledUrl, TextResponse, type ControlHandlers, type ControlService } from './handler.js';

export const reports: ControlHandlers = {
  getCoverage: async ({ account, query, service }) => {
    const { coverageJunit, coverageMarkdown, coverageOf, hitsOf } = await import('../../reports/coverage.js');
    const coverage = coverageOf(service.documents.api, [hitsOf(account.store)]);
    return written(query['format'], coverage, { markdown: coverageMarkdown, junit: coverageJunit });
  },

  putExplorationReport: {
    body: 'text',
    isHarmless: true,
    run: ({ body, service }) => {
      service.explorationReport.html = body as string;
      return undefined;
    },
  },

  getVerdict: {
    // An account that asking created would be part of the verdict on all accounts, as one without a call.
    isOfOthers: () => true,
    run: async (context) => {
      const { junitOf, markdownOf } = await import('../../reports/verdict-formats.js');
      const { account, query, service } = context;
      const base = calledUrl(context);
      const wanted = query['accounts'];
      if (typeof wanted === 'string') {
        const verdict = ofAccounts(account, wanted, service);
        return written(query['format'], verdict, {
          markdown: (each) => markdownOf(each, base),
          junit: (each) => junitOf(each, base),
        });
      }
      const verdict = verdictOf(account);
      if (!verdict) throw new ServiceError('not_found', `No scenario is active, ${nothingToJudge}`);
      return written(query['format'], verdict, {
        markdown: (one) => markdownOf({ passed: one.passed, accounts: [{ account: account.key, ...one }] }, base),
        junit: (one) => junitOf({ passed: one.passed, accounts: [{ account: account.key, ...one }] }, base),
      });
    },
  },

  getRecording: async (context) => {
    const { account, query, service } = context;
    const { recordingOf } = await import('../../record/recording.js');
    const recording = recordingOf(account, query['from'] as number | undefined, query['to'] as number | undefined);
    if (query['format'] === 'har') {
      const { harEntries, harOf } = await import('../../record/har.js');
      const archive = harOf(harEntries(account.store, calledUrl(context), recording.within), service.version);
      return new TextResponse(`${JSON.stringify(archive, null, 2)}\n`, 'application/json; charset=utf-8');
    }
    const { recordedScenario, scenarioText } = await import('../../record/scenario.js');
    return new TextResponse(scenarioText(recordedScenario(recording), recording), 'application/yaml; charset=utf-8');
  },
};

const nothingToJudge = 'so there is nothing to evaluate. Activate one with PUT /_sandbox/scenario.';

function ofAccounts(caller: Account, wanted: string, { accounts }: ControlService): AccountsVerdict {
  const prefix = wanted === 'all' ? '' : wanted.slice(0, -1);
  const chosen = [...accounts.all()].filter(({ key }) => key.startsWith(prefix));
  // A prefix names the caller's account, too; all accounts are meant without one that only asks.
  const verdict = judgeAccounts(chosen, prefix === '' ? caller : null);
  if (verdict) return verdict;
  const which = prefix === '' ? 'any account' : `any account whose key starts with "${prefix}"`;
  throw new ServiceError('not_found', `No scenario is active in ${which}, ${nothingToJudge}`);
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
