import { signal } from '@preact/signals';
import { type Account, ApiError, apiOf, controlToken, hide, later } from '../core/index.js';

/** Oldest first; null before the first response. */
export const accountList = signal<readonly Account[] | null>(null);
/** True if the control plane requires a token, and the present one is missing or wrong. */
export const guarded = signal(false);

export const defaultKey = 'test_default';
/** Milliseconds between two attempts to reach a sandbox that does not respond. */
const againMs = 1000;

/** Reads the accounts; repeats the call until the sandbox responds. */
export async function readAccounts(): Promise<void> {
  try {
    const { items } = await apiOf(null).get('/_sandbox/accounts', { query: { limit: 1000 } });
    accountList.value = items;
    guarded.value = false;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      // An earlier list must not stay visible.
      accountList.value = null;
      hide();
      guarded.value = true;
    } else {
      later(againMs, () => void readAccounts());
    }
  }
}

/** @throws ApiError if the token is not accepted */
export async function enterToken(token: string): Promise<void> {
  controlToken.value = token;
  try {
    await apiOf(null).get('/_sandbox/info');
  } catch (error) {
    controlToken.value = null;
    const isWrong = error instanceof ApiError && error.status === 401;
    throw isWrong ? new ApiError(401, { error: { message: 'That is not the token of this sandbox.' } }) : error;
  }
  await readAccounts();
}
