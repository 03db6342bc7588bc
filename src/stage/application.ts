import type { Application, Program } from '../account/application.js';
import type { AccountStore } from '../store/account-store.js';
import type { Quiet } from '../time/quiet.js';
import { startsWork } from '../language/calls.js';
import { ApplicationUser, sendsAway } from './application-user.js';

interface Around {
  readonly store: AccountStore;
  readonly quiet: Quiet;
  readonly nowMs: () => number;
}

export function applicationOf(program: Program, { store, quiet, nowMs }: Around): Application {
  const codeOf = (phone: string): string | null =>
    store.tables.otps.all().findLast(({ to }) => to === phone)?.code ?? null;
  const user = new ApplicationUser({ program, codeOf, nowMs });
  let restarts = Promise.resolve<string | null>(null);
  let begin = (): void => undefined;
  const beginning = new Promise<void>((resolve) => (begin = resolve));
  let hasBegun = false;
  /** The application can react to a user's call. */
  const noted = async <T>(work: () => Promise<T>): Promise<T> => {
    quiet.note();
    try {
      return await work();
    } finally {
      quiet.note();
    }
  };
  return {
    isOwned: program.restart !== undefined,
    get untilMs() {
      return program.untilMs;
    },
    get hasBegun() {
      return hasBegun;
    },
    begin() {
      hasBegun = true;
      begin();
    },
    begun: () => beginning,
    call: async (call) => {
      const before = restarts;
      let response = await noted(() => user.call(call));
      if (response.status === null && restarts !== before && startsWork(call)) {
        await restarts;
        response = await noted(() => user.call(call));
      }
      const { status, body, lacked } = response;
      const isSentAway = sendsAway(response);
      program.onResponse?.(call, { status, body, isSentAway, ...(status === null && { lacked }) });
      return response;
    },
    saved: (name) => user.saved(name),
    forget: () => user.forget(),
    restart: async () =>
      program.restart
        ? noted(() => (restarts = program.restart?.() ?? Promise.resolve(null)))
        : 'the application was started elsewhere; "scenario run --app" can restart it',
    read: (paths) => user.read(paths),
  };
}
