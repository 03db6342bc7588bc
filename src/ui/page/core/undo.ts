/** Undo: a snapshot of the account is taken before an action that deletes many records. */
import { act, ApiError, type Api } from './api.js';
import { toast } from './toasts.js';

/**
 * Performs an action that a snapshot can undo; a toast then offers the undo.
 * @param name the name of the snapshot; an earlier one with that name is replaced
 * @param work returns whether it succeeded
 */
export async function undoable(api: Api, name: string, done: string, work: () => Promise<boolean>): Promise<boolean> {
  const saved = await saveAs(api, name);
  if (!(await work())) return false;
  if (!saved) {
    toast('good', `${done} There was no space for a snapshot, so this cannot be undone.`);
    return true;
  }
  toast('good', done, [], {
    label: 'Undo',
    run: () => {
      void act(
        api.post('/_sandbox/snapshots/{name}/restore', { path: { name } }),
        'The account is back in its previous state.',
      );
    },
  });
  return true;
}

/**
 * Takes a snapshot, which replaces one of that name.
 * @returns whether it was taken
 */
async function saveAs(api: Api, name: string): Promise<boolean> {
  try {
    const { items } = await api.get('/_sandbox/snapshots', { query: { name } });
    if (items.length > 0) await api.delete('/_sandbox/snapshots/{name}', { path: { name } });
    await api.post('/_sandbox/snapshots', { body: { name } });
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return false;
  }
}
