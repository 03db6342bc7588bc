/** Whether the application took part since the activation. If nothing could fail, a check proves nothing. */
import type { Account } from '../../account/account.js';
import type { Row } from '../../domain/row.js';
import { counted } from '../../domain/in-words.js';
import { activeId } from '../../domain/script-state.js';

export interface Participation {
  readonly passes: boolean;
  readonly reason?: 'no_calls';
  /** A sentence for the reader if the application made no call. */
  readonly note?: string;
}

/** Returns whether the verdict may pass at all, and a note for the reader. */
export function participationOf(account: Account): Participation {
  if (account.script.scenario?.expect_no_calls === true || since(account, 'requests').length > 0)
    return { passes: true };
  const attempts = since(account, 'attempts');
  if (attempts.length === 0) {
    return {
      passes: false,
      reason: 'no_calls',
      note: 'The application made no call and no delivery was attempted, so nothing could fail. If the scenario is meant to pass like this, add expect_no_calls: true to it.',
    };
  }
  const answered = attempts.filter(({ status }) => status !== null).length;
  return {
    passes: true,
    note: `The application made no call; it responded to ${answered} of ${counted(attempts.length, 'delivery attempt')}.`,
  };
}

/** Returns whether nothing at all happened in the account since the activation. */
export function isUntouched(account: Account): boolean {
  return (['requests', 'attempts', 'events', 'messages'] as const).every((table) => since(account, table).length === 0);
}

type Counted = 'requests' | 'attempts' | 'events' | 'messages';

function since({ store: { tables } }: Account, name: Counted) {
  const activatedSeq = tables.scenarios.get(activeId)?.seq ?? 0;
  const rows: (Row & { readonly status?: unknown })[] = [...tables[name].all()];
  return rows.filter(({ seq }) => seq > activatedSeq);
}
