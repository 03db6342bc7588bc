import type { Account } from '../../account/account.js';
import { modeOf, requireOneMode } from '../../account/move-clock.js';
import { resetAccount, type KeptPart } from '../../accounts/reset.js';
import { forkAccount } from '../../accounts/snapshots.js';
import { invalidField, ServiceError } from '../../domain/errors.js';
import { isoTime } from '../../domain/instant.js';
import { clockUpdate, type ClockBody } from './clock.js';
import { paceOf } from '../../time/account-clock.js';
import type { ControlHandlers, ControlService } from './handler.js';
import { loadScenario } from './scenario.js';

interface ResetBody {
  readonly keep?: KeptPart[];
  readonly ids?: 'go_on' | 'restart';
  readonly clock?: ClockBody;
  readonly scenario?: string | object;
}

export const accounts: ControlHandlers = {
  resetAccount: {
    creates: 'if there is room',
    run: ({ account, body, service }) => {
      const { keep = [], ids, clock, scenario } = (body ?? {}) as ResetBody;
      // Everything is validated before anything is deleted, so that a rejected call changes nothing.
      for (const [part, given] of Object.entries({ clock, scenario })) {
        if (given !== undefined && keep.includes(part as KeptPart))
          throw invalidField('keep', `names ${part}, which the call also sets; omit one of them`);
      }
      const records = keep.filter((part) => part === 'templates' || part === 'webhooks');
      if (ids === 'restart' && records.length > 0) {
        throw invalidField('ids', `begins anew only with an empty account, but keep names ${records.join(' and ')}`);
      }
      const starting = service.accounts.startingScenario(account.key);
      const named = typeof scenario === 'string' ? { name: scenario } : scenario;
      const first = named ? { ...starting, ...loadScenario(service.scenarios, named) } : starting;
      const start = { clock: startClock(service, clock), clockNamed: clock !== undefined };
      resetAccount(account, { keep, restartsIds: ids === 'restart', ...start, scenario: first });
      return undefined;
    },
  },

  forkAccount: {
    creates: 'never',
    run: async ({ account, name: key, body, service: { accounts: all, host } }) => {
      const source = key === account.key ? all.of(key) : all.get(key);
      if (!source) {
        const next = 'An account is created by the first call with its key; GET /_sandbox/accounts lists them.';
        throw new ServiceError('not_found', `There is no account ${key}. ${next}`);
      }
      source.scheduler.runDue();
      const fork = await forkAccount(all, source, (body as { to: string }).to, host);
      return showAccount(fork, fork.number);
    },
  },

  dropAccount: {
    isHarmless: true,
    creates: 'never',
    run: async ({ name: key, service }) => {
      if (!(await service.accounts.drop(key))) throw new ServiceError('not_found', `There is no account ${key}.`);
      return undefined;
    },
  },
};

function startClock({ accounts: all }: ControlService, clock: ClockBody | undefined) {
  if (clock === undefined) return all.startClock();
  const wanted = clockUpdate('clock.', clock);
  requireOneMode(wanted);
  const usual = all.startClock();
  const mode = modeOf(wanted, usual);
  const pace = paceOf(mode.mode === 'auto' ? (wanted.pace ?? usual) : {});
  return all.startClock({ ...mode, quietMs: undefined, ...pace, startMs: wanted.nowMs ?? usual.baseMs });
}

export function showAccount({ key, store, clock, script }: Account, seq: number) {
  const { messages, templates, endpoints, events, requests } = store.tables;
  return {
    seq,
    key,
    created_at: isoTime(store.meta.createdAtMs),
    now: isoTime(clock.now()),
    clock_mode: clock.mode,
    scenario: script.scenario?.name ?? null,
    counts: {
      messages: messages.filter(({ origin }) => origin === 'api').length,
      templates: templates.size,
      webhooks: endpoints.size,
      events: events.size,
      requests: requests.size,
    },
  };
}
