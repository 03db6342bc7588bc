/** Resets the account. */
import { model, succeeded, undoable } from '../core/index.js';

/** The dialogs of the account, whose code is loaded when they are opened. */
export type AccountDialog = 'reset' | 'snapshots' | 'delete';

export type Kept = 'templates' | 'webhooks' | 'clock' | 'scenario';

/** Resets the account, without a question but with Undo. */
export function resetAccount(keep: readonly Kept[]): Promise<boolean> {
  const { api, key } = model.value;
  return undoable(api, 'before-reset', `${key} is reset.`, () =>
    succeeded(api.POST('/_sandbox/reset', { body: { keep: [...keep] } })),
  );
}
