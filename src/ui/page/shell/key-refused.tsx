/** Shown instead of a panel if the account's key, or the token, is rejected. */
import { useEffect } from 'preact/hooks';
import { readAccounts } from '../core/index.js';
import { EmptyState } from '../parts/index.js';

export function KeyRefused({ message }: { readonly message: string }) {
  // If the control token is missing, this call shows it, and the page asks for the token.
  useEffect(() => void readAccounts(), []);
  return (
    <EmptyState icon="key" title="This key is not accepted">
      <p>{message}</p>
      <p>Choose another account above.</p>
    </EmptyState>
  );
}
