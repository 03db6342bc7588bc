/** An application that somebody else has started: steps reach it over HTTP. */
import type { Application } from '../account/application.js';
import type { AccountStore } from '../store/account-store.js';
import { ApplicationUser } from './application-user.js';

/** @param origin its address, such as http://127.0.0.1:3000 @param nowMs the time of the account */
export function httpApplication(origin: string, store: () => AccountStore, nowMs: () => number): Application {
  const codeOf = (phone: string) =>
    Promise.resolve(
      store()
        .tables.otps.all()
        .findLast(({ to }) => to === phone)?.code ?? null,
    );
  const user = new ApplicationUser({ origin, codeOf, nowMs });
  let begin = (): void => undefined;
  const beginning = new Promise<void>((resolve) => (begin = resolve));
  let hasBegun = false;
  return {
    isOwned: false,
    get hasBegun() {
      return hasBegun;
    },
    begin() {
      hasBegun = true;
      begin();
    },
    begun: () => beginning,
    call: (call) => user.call(call),
    forget: () => user.forget(),
    restart: () => Promise.resolve('the application was started elsewhere; "scenario run --app" can restart it'),
    read: (paths) => user.read(paths),
  };
}
