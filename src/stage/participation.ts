/** True if the application took part in a story, so that a check that found nothing says something. */
import type { Account } from '../account/account.js';
import { counted } from '../domain/text.js';
import { onRecords } from '../language/checks.js';
import type { ExpectSubject } from '../language/hooks.js';
import type { LoadedScenario } from '../language/scenario.js';
import type { RowOf, TableName } from '../store/account-data.js';
import { reachesApplication } from './event-notes.js';
import { sinceActivation } from './expectation-records.js';

export interface Participation {
  readonly passes: boolean;
  /** The reason why the verdict has not passed although no check failed. */
  readonly reason?: 'no_calls' | 'none_accepted';
  readonly note?: string;
}

export function participationOf(account: Account): Participation {
  const { scenario } = account.script;
  if (scenario?.expect_no_calls === true) return { passes: true };
  const attempts = happened(account, 'attempts');
  const hasCalled = happened(account, 'requests').length > 0;
  if (!hasCalled && attempts.length === 0) {
    return {
      passes: false,
      reason: 'no_calls',
      note: 'The application made no call and no delivery was attempted, so nothing could fail. If the scenario is meant to pass like this, add expect_no_calls: true to it.',
    };
  }
  const own = attempts.filter(reachesApplication);
  const isAccepted = own.some(({ status }) => status !== null && status < 400);
  if (own.length > 0 && !isAccepted && scenario && needsEvents(scenario)) {
    return {
      passes: false,
      reason: 'none_accepted',
      note: `The application accepted none of ${counted(own.length, 'delivery attempt')}, so it did not see what the story did. If it is meant to reject them, check that: attempts.`,
    };
  }
  if (hasCalled) return { passes: true };
  const answered = attempts.filter(({ status }) => status !== null).length;
  return {
    passes: true,
    note: `The application made no call; it responded to ${answered} of ${counted(attempts.length, 'delivery attempt')}.`,
  };
}

/** True if it is a story, and no check says what becomes of its events. */
function needsEvents({ timeline, expect }: LoadedScenario): boolean {
  const subjects: readonly ExpectSubject[] = ['attempts', 'deliveries', 'webhooks'];
  return timeline.length > 0 && !onRecords(expect).some(({ that }) => subjects.includes(that));
}

export function isUntouched(account: Account): boolean {
  return (['requests', 'attempts', 'events', 'messages'] as const).every(
    (name) => happened(account, name).length === 0,
  );
}

function happened<Name extends TableName>(account: Account, name: Name): RowOf<Name>[] {
  const rows = account.store.tables[name].all() as RowOf<Name>[];
  return rows.filter(sinceActivation(account));
}
