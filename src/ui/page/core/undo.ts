/** A way back: the account is saved before something is done to it that takes much away. */
import { act, ApiError, type Api } from './api.js';
import { toast } from './toasts.js';

/**
 * Does something that a snapshot can take back; afterwards a toast offers that.
 *
 * @param name of the snapshot, which takes the place of an earlier one of that name
 * @param work answers whether it was done
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

/** Takes a snapshot in place of one of that name. @returns whether there is one now */
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
