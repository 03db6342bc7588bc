/** Judges an expectation at its instant, and the whole of them when the verdict is asked for. */
import type { Account } from '../../account/account.js';
import type { Job } from '../../domain/job.js';
import { judge, judgementOffsetMs, type Judgement, type Surroundings } from '../engine/expectations.js';
import { lastOffsetMs } from '../engine/timeline.js';
import { activeId } from '../../domain/script-state.js';
import { scenarioSubject } from './waiting-steps.js';
import { evidenceOf } from './expectation-records.js';
import { participationOf } from './participation.js';

/** Runs a `scenario.judge` job: what is found now is what counts. */
export function judgeStep(account: Account, job: Job): undefined {
  const { index } = job.data as { index: number };
  const expectation = account.script.scenario?.expect[index];
  if (!expectation) return;
  const { judgements } = account.store.tables;
  judgements.insert({
    id: `expect[${index}]`,
    seq: account.store.nextSeq(),
    judgement: judge(expectation, evidenceOf(account), aroundOf(account)),
  });
}

/** When everything that the scenario plans has happened, in account time; null when none is active. */
export function scenarioEndMs({ script, store }: Account): number | null {
  const { scenario, activatedAtMs } = script;
  if (!scenario || activatedAtMs === null) return null;
  const planned = [...store.tables.jobs.list('subject', scenarioSubject)].map(({ dueMs }) => dueMs);
  return Math.max(activatedAtMs + lastOffsetMs(scenario, activatedAtMs), ...planned);
}

function aroundOf({ script }: Account): Surroundings {
  return { checks: script.scenario?.expect ?? [], activatedAtMs: script.activatedAtMs ?? 0 };
}

export interface Verdict {
  readonly scenario: string;
  readonly passed: boolean;
  /** Why it is not passed although no check failed: the application took no part. */
  readonly reason?: 'no_calls';
  /** What to know about the result: left out when the application made a call. */
  readonly note?: string;
  readonly checks: readonly Judgement[];
  /** Steps of the timeline that could not be made; left out when there are none. */
  readonly warnings?: readonly string[];
}

/** Null when no scenario is active. An expectation whose instant has not come is not passed yet, and says so. */
export function verdictOf(account: Account): Verdict | null {
  const { scenario } = account.script;
  if (!scenario) return null;
  const evidence = evidenceOf(account);
  const around = aroundOf(account);
  const checks = scenario.expect.map((expectation, index): Judgement => {
    if (judgementOffsetMs(expectation) === null) return judge(expectation, evidence, around);
    const judged = account.store.tables.judgements.get(`expect[${index}]`);
    if (judged) return judged.judgement as Judgement;
    return {
      ...judge(expectation, evidence, around),
      passed: false,
      found: `not judged yet: ${expectation.at} has not come`,
    };
  });
  const warnings = account.store.tables.scenarios.get(activeId)?.passedOver;
  const { passes, ...participation } = participationOf(account);
  return {
    scenario: scenario.name,
    passed: passes && checks.every(({ passed }) => passed),
    ...participation,
    checks,
    ...(warnings && { warnings }),
  };
}
