/** The accounts of this sandbox. */
import type { Account } from '../../account/account.js';
import { forkAccount } from '../../account/snapshots.js';
import { modeOf, requireOneMode } from '../../account/move-clock.js';
import { resetAccount, type KeptPart } from '../../account/reset.js';
import { invalidField, ServiceError } from '../../domain/errors.js';
import { isoTime } from '../../domain/instant.js';
import { scenarioInvalid } from './rules.js';
import { clockUpdate, type ClockBody } from './clock.js';
import { type List, listAll } from './filters.js';
import type { ControlHandlers, ControlService } from './handler.js';
import { loadBody } from './scenario.js';

const accountList: List<{ readonly account: Account; readonly seq: number }> = {
  show: ({ account, seq }) => showAccount(account, seq),
  fields: {
    key: ({ account }) => account.key,
    clock_mode: ({ account }) => account.clock.mode,
    scenario: ({ account }) => account.script.scenario?.name,
  },
};

export const accounts: ControlHandlers = {
  resetAccount: {
    removes: true,
    run: ({ account, body, service }) => {
      const { keep = [], clock, scenario } = (body ?? {}) as ResetBody;
      // Everything is validated before anything is deleted, so that a rejected call changes nothing.
      for (const part of ['clock', 'scenario'] as const) {
        if (keep.includes(part) && (part === 'clock' ? clock : scenario) !== undefined) {
          throw invalidField('keep', `names ${part}, which the call also sets; omit one of them`);
        }
      }
      const starting = service.accounts.startingScenario(account.key);
      const first = scenario === undefined ? starting : { ...starting, ...scenarioOf(service, scenario) };
      service.accounts.ending(account);
      resetAccount(account, { keep, ...startOf(service, clock), scenario: first });
      return undefined;
    },
  },

  listAccounts: {
    isOfOthers: () => true,
    run: (context) => {
      const { accounts: known } = context.service;
      const all = [...known.all()].map((account) => ({ account, seq: known.numberOf(account) }));
      return listAll(accountList, all, context);
    },
  },

  forkAccount: {
    isOfOthers: ({ key, name }) => key !== name,
    run: async ({ name: key, body, service: { accounts: all, host } }) => {
      const source = all.get(key);
      if (!source) {
        const next = 'An account is created by the first call with its key; GET /_sandbox/accounts lists them.';
        throw new ServiceError('not_found', `There is no account ${key}. ${next}`);
      }
      source.scheduler.runDue();
      const fork = await forkAccount(all, source, (body as { to: string }).to, host);
      return showAccount(fork, all.numberOf(fork));
    },
  },

  dropAccount: {
    isHarmless: true,
    isOfOthers: () => true,
    run: async ({ name: key, service }) => {
      if (!(await service.accounts.drop(key))) throw new ServiceError('not_found', `There is no account ${key}.`);
      return undefined;
    },
  },
};

interface ResetBody {
  readonly keep?: KeptPart[];
  readonly clock?: ClockBody;
  readonly scenario?: string | object;
}

function startOf({ accounts: all }: ControlService, clock: ClockBody | undefined) {
  if (clock === undefined) return { clock: all.startClock(), clockNamed: false };
  const wanted = clockUpdate('clock.', clock);
  requireOneMode(wanted);
  const usual = all.startClock();
  const mode = modeOf(wanted, usual);
  const quietMs = mode.mode === 'auto' ? (wanted.quietMs ?? usual.quietMs) : undefined;
  return { clock: all.startClock({ ...mode, quietMs, startMs: wanted.nowMs ?? usual.baseMs }), clockNamed: true };
}

/** A scenario by name, or a complete one. */
function scenarioOf({ scenarios }: ControlService, scenario: string | object) {
  const body = typeof scenario === 'string' ? { name: scenario } : scenario;
  const { result, text } = loadBody(scenarios, { body, written: undefined, file: 'request body' });
  if ('problems' in result) throw scenarioInvalid(result.problems, result.warnings);
  return { scenario: result.scenario, text };
}

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
      messages: tables.messages.filter(({ origin }) => origin === 'api').length,
      templates: tables.templates.size,
      webhooks: tables.endpoints.size,
      events: tables.events.size,
      requests: tables.requests.size,
    },
  };
}
