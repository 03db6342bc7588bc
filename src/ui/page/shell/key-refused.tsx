/** In place of a panel: the account's key, or the token, is not accepted. */
import { useEffect } from 'preact/hooks';
import { readAccounts } from '../core/accounts.js';
import { EmptyState } from '../parts/empty-state.js';

export function KeyRefused({ message }: { readonly message: string }) {
  // If it is the token that is missing, this finds out and asks for it.
  useEffect(() => void readAccounts(), []);
  return (
    <EmptyState icon="key" title="This key is not accepted">
      <p>{message}</p>
      <p>Choose another account above.</p>
    </EmptyState>
  );
}
