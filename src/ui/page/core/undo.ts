/** Undo: the account is saved before an action that removes much of it. */
import { act, ApiError, type Api } from './api.js';
import { toast } from './toasts.js';

/**
 * Performs an action that a snapshot can undo; afterwards a toast offers this.
 * @param name the name of the snapshot, which replaces an earlier one of that name
 * @param work returns whether it succeeded
 */
export async function undoable(api: Api, name: string, done: string, work: () => Promise<boolean>): Promise<boolean> {
  const saved = await saveAs(api, name);
  if (!(await work())) return false;
  if (!saved) {
    toast('good', `${done} There was no room for a snapshot, so this cannot be undone.`);
    return true;
  }
  toast('good', done, [], {
    label: 'Undo',
    run: () => {
      void act(api.post('/_sandbox/snapshots/{name}/restore', { path: { name } }), 'The account is as it was before.');
    },
  });
  return true;
}

/**
 * Takes a snapshot, replacing one of that name.
 * @returns whether it exists now
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
