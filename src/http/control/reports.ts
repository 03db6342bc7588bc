/** The writers of reports are loaded when needed, because a start does not need them. */
import type { Steps } from '../../record/recording.js';
import { loadReader } from '../../reader/library.js';
import { ServiceError } from '../../domain/errors.js';
import { judgeFinalState } from '../../stage/scenario-jobs.js';
import { verdictOf } from '../../stage/verdict.js';
import { judgeAccounts, type AccountsVerdict } from '../../stage/verdicts.js';
import { lists } from './lists.js';
import type { ControlContext, ControlHandlers, ControlService } from './handler.js';
import { show } from './show.js';
import { rowOf } from './values.js';

export const reports: ControlHandlers = {
  getRequest: rowOf('requests', show.request),

  countRequests: (context) => {
    return { count: lists.listRequests.find(context, context.query).items.length };
  },

  clearRequests: ({ account }) => {
    account.store.update(() => account.store.tables.requests.clear());
    return undefined;
  },

  getCoverage: async (context) => {
    const { coverageJunit, coverageMarkdown, coverageOf, hitsOf } = await import('../../reports/coverage.js');
    const coverage = coverageOf(context.service.documents.api, [hitsOf(context.account.store)]);
    return written(context, coverage, {
      markdown: () => coverageMarkdown(coverage),
      junit: () => coverageJunit(coverage),
    });
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
    creates: 'never',
    run: async (context) => {
      const { junitOf, markdownOf } = await import('../../reports/verdict-formats.js');
      const { account, query, service } = context;
      const wanted = query['accounts'];
      const prefix = (wanted as string | undefined)?.replace(/^all$|\*$/, '');
      const asked =
        prefix === undefined ? [account] : [...service.accounts.all()].filter(({ key }) => key.startsWith(prefix));
      await Promise.all(asked.map((one) => judgeFinalState(one)));
      const one = prefix === undefined ? verdictOf(account) : null;
      if (prefix === undefined && !one) throw nothingToEvaluate('No scenario is active');
      const all = one
        ? { passed: one.passed, accounts: [{ account: account.key, ...one }] }
        : verdictOfAll(prefix ?? '', service);
      return written(context, one ?? all, {
        markdown: () => markdownOf(all, calledUrl(context)),
        junit: () => junitOf(all, calledUrl(context)),
      });
    },
  },

  getRecording: async (context) => {
    const { account, query, response, service } = context;
    const { doesNotFit, recordingOf } = await import('../../record/recording.js');
    const recording = recordingOf(account, query['from'] as number | undefined, query['to'] as number | undefined);
    if (query['format'] === 'har') {
      const { exchangesOf, harLines } = await import('../../record/har.js');
      const exchanges = exchangesOf(account.store, calledUrl(context), recording.within);
      return inTurns(service, harText(harLines(exchanges, service.version)));
    }
    const { recordedScenario, scenarioText } = await import('../../record/scenario.js');
    response.set('Content-Type', 'application/yaml; charset=utf-8');
    const text = scenarioText(await inTurns(service, recordedScenario(recording)), recording);
    // A file that the sandbox would refuse is not given out.
    await loadReader();
    const loaded = service.scenarios.loadText(text, 'the recording');
    if ('problems' in loaded) {
      const [first] = loaded.problems;
      throw doesNotFit(first === undefined ? 'it has errors' : `line ${first.line}, ${first.message}`);
    }
    return text;
  },
};

/** This many lines of an archive take a few milliseconds. */
const linesPerTurn = 200;

function* harText(parts: Iterable<string>): Steps<string> {
  let text = '';
  let lines = 0;
  for (const line of parts) {
    text += line;
    lines += 1;
    if (lines % linesPerTurn === 0) yield;
  }
  return text;
}

async function inTurns<T>({ host }: ControlService, steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await new Promise<void>((resolve) => host.defer(resolve));
  }
}

function calledUrl({ request, service }: ControlContext): string {
  const { host, port } = service.facts();
  return `http://${request.headers.host ?? `${host}:${port}`}`;
}

function nothingToEvaluate(found: string): ServiceError {
  const next =
    'so there is nothing to evaluate. Activate one with "messaging-sandbox scenario use NAME" or PUT /_sandbox/scenario.';
  return new ServiceError('not_found', `${found}, ${next}`);
}

function verdictOfAll(prefix: string, { accounts }: ControlService): AccountsVerdict {
  const verdict = judgeAccounts(accounts.all(), accounts.ended, (key) => key.startsWith(prefix));
  if (verdict) return verdict;
  const which = prefix === '' ? 'any account' : `any account whose key starts with "${prefix}"`;
  throw nothingToEvaluate(`No scenario is active in ${which}`);
}

function written(
  { query: { format }, response }: ControlContext,
  report: object,
  as: { readonly markdown: () => string; readonly junit: () => string },
): object | string {
  if (format !== 'markdown' && format !== 'junit') return report;
  response.set('Content-Type', `${format === 'markdown' ? 'text/markdown' : 'application/xml'}; charset=utf-8`);
  return as[format]();
}
