/** Undo: a snapshot of the account is taken before an action that deletes many records. */
import { type Api, act, done } from './api.js';
import { ApiError } from './api-error.js';
import { toast } from './toasts.js';

/**
 * Performs an action that a snapshot can undo; a toast then offers the undo.
 * @param name the name of the snapshot; an earlier one with that name is replaced
 * @param words what was done, with the account's name: the toast may be seen from another account
 * @param work returns whether it succeeded
 */
export async function undoable(api: Api, name: string, words: string, work: () => Promise<boolean>): Promise<boolean> {
  const saved = await saveAs(api, name);
  if (!(await work())) return false;
  const restore = () =>
    act(
      done(api.POST('/_sandbox/snapshots/{name}/restore', { params: { path: { name } } })),
      'Undone: the account is back in its previous state.',
    );
  if (saved) toast('good', words, [], { label: 'Undo', run: () => void restore() });
  else toast('good', `${words} There was no space for a snapshot, so this cannot be undone.`);
  return true;
}

/**
 * Takes a snapshot, which replaces one of that name.
 * @returns whether it was taken
 */
async function saveAs(api: Api, name: string): Promise<boolean> {
  try {
    const { items } = await done(api.GET('/_sandbox/snapshots', { params: { query: { name } } }));
    if (items.length > 0) await done(api.DELETE('/_sandbox/snapshots/{name}', { params: { path: { name } } }));
    await done(api.POST('/_sandbox/snapshots', { body: { name } }));
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return false;
  }
}
