/** The account as a whole: first steps, reset, snapshots, notifications, and deletion. */
import { useEffect } from 'preact/hooks';
import { model, readAccounts } from '../../core/index.js';
import { CopyButton } from '../../parts/index.js';
import { DeleteAccount } from './delete-account.js';
import { FirstSteps } from './first-steps.js';
import { ForkAccount } from './fork-account.js';
import { Notifications } from './notifications.js';
import { ResetAccount } from './reset-account.js';
import { Snapshots } from './snapshots.js';
import './account.css';

export function Account() {
  const { key } = model.value;
  useEffect(() => void readAccounts(), [key]);
  return (
    <div class="account">
      <header class="account-head breaks">
        <h2>{key}</h2>
        <p class="faint">
          API key and name of this account <CopyButton text={key} label="API key" />
        </p>
      </header>
      <div class="account-cards">
        <FirstSteps />
        <ResetAccount />
        <Snapshots key={key} />
        <ForkAccount key={`fork ${key}`} />
        <Notifications />
        <DeleteAccount />
      </div>
    </div>
  );
}
