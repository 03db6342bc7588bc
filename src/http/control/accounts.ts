/** The accounts of this sandbox (contract §1, §4). */
import type { Account } from '../../account/account.js';
import { resetAccount, type KeptPart } from '../../accounts/reset.js';
import { ServiceError } from '../../domain/errors.js';
import { isoTime } from '../../domain/instant.js';
import type { ControlHandlers } from './handler.js';
import { pageOfAll, pageQuery, shownPage } from './listing.js';

export const accounts: ControlHandlers = {
  resetAccount: ({ account, body, service }) => {
    const { keep = [] } = (body ?? {}) as { keep?: KeptPart[] };
    resetAccount(account, keep, service.accounts.startClock(), service.accounts.bornWith(account.key));
    return undefined;
  },

  listAccounts: ({ query, service }) => {
    const all = [...service.accounts.all()].map((account) => ({ account, seq: service.accounts.numberOf(account) }));
    return shownPage(pageOfAll(all, pageQuery(query)), ({ account, seq }) => showAccount(account, seq));
  },

  dropAccount: async ({ params, service }) => {
    const key = params['key'] ?? '';
    if (!(await service.accounts.drop(key))) throw new ServiceError('not_found', `There is no account ${key}.`);
    return undefined;
  },
};

function showAccount({ key, store, clock, script }: Account, seq: number) {
  const { tables } = store;
  return {
    seq,
    key,
    created_at: isoTime(store.meta.createdAtMs),
    now: isoTime(clock.now()),
    clock_mode: clock.mode,
    scenario: script.scenario?.name ?? null,
    counts: {
      messages: tables.messages.list('sent', 'only').size,
      templates: tables.templates.size,
      webhooks: tables.endpoints.size,
      events: tables.events.size,
      requests: tables.requests.size,
    },
  };
}
