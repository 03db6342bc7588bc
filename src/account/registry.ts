/** The accounts of a sandbox: one for each key, created on first use. */
import { ServiceError } from '../domain/errors.js';
import { type AccountData, createTables, memoryPersistence, type Persistence } from '../store/account-data.js';
import { startClock, type ClockSettings } from '../time/account-clock.js';
import { within } from '../time/system-clock.js';
import { beginWith } from '../scenario/run/activate.js';
import type { StartingScenario } from '../scenario/run/starting-scenario.js';
import type { Account } from './account.js';
import { buildAccount, type Surroundings } from './build.js';

/** The account of control-plane calls without a key, and its key. */
export const defaultKey = 'test_default';

/** Maximum number of characters of a key. */
export const longestKey = 512;

/** Where accounts are kept: in the data directory, or only in memory. */
export interface AccountHome {
  /** Returns where a new account is stored. */
  create(key: string, data: AccountData): Persistence;
  /** Deletes an account permanently, with its snapshots. Its key can be reused immediately. */
  remove(key: string): Promise<void>;
}

/** Machine milliseconds that attempts in flight get when the sandbox stops; the whole stop may take 5 s. */
const longestGoodbyeMs = 3000;

export interface AccountsOptions {
  /** The starting scenario of the account with this key. */
  readonly startingScenario: (key: string) => StartingScenario | null;
  readonly clock: ClockSettings;
  /** Null: every non-empty key is an account. */
  readonly apiKeys: readonly string[] | null;
  readonly maxAccounts: number;
}

export class Accounts {
  readonly #around: Surroundings;
  /** A set finds a key by its hash, so the duration of a lookup does not reveal how much of a guess was right. */
  readonly #apiKeys: ReadonlySet<string> | null;
  readonly #home: AccountHome;
  readonly #options: AccountsOptions;
  readonly #accounts = new Map<string, Account>();
  /** The number of each account, in the order of opening; numbers are never reused. */
  readonly #numbers = new WeakMap<Account, number>();
  #opened = 0;
  /** The warning of an account whose starting scenario is unknown or invalid. */
  readonly #notices = new Map<string, string>();
  readonly #listeners = new Set<(account: Account) => void>();
  readonly #dropListeners = new Set<(account: Account) => void>();
  readonly #endListeners = new Set<(account: Account) => void>();

  constructor(around: Surroundings, home: AccountHome, options: AccountsOptions) {
    this.#around = around;
    this.#apiKeys = options.apiKeys === null ? null : new Set(options.apiKeys);
    this.#home = home;
    this.#options = options;
  }

  /** Calls `listener` for every account, including future ones. */
  onOpen(listener: (account: Account) => void): void {
    this.#listeners.add(listener);
    for (const account of this.#accounts.values()) listener(account);
  }

  /**
   * Calls `listener` for every deleted account, once it can no longer be reached; returns a function that stops this.
   */
  onDrop(listener: (account: Account) => void): () => boolean {
    this.#dropListeners.add(listener);
    return () => this.#dropListeners.delete(listener);
  }

  /** Calls `listener` before the records of an account are removed: by a reset, or because it is deleted. */
  onEnd(listener: (account: Account) => void): void {
    this.#endListeners.add(listener);
  }

  /** Announces that the records of an account are about to be removed. */
  ending(account: Account): void {
    for (const listener of this.#endListeners) listener(account);
  }

  /** Whether this account still exists: another one may have its key now. */
  holds(account: Account): boolean {
    return this.#accounts.get(account.key) === account;
  }

  /** Adds an account from the data directory. */
  restore(key: string, data: AccountData, persistence: Persistence): void {
    this.#open(key, data, persistence);
    this.#note(key, this.startingScenario(key));
  }

  /** Whether a key is accepted. */
  accepts(key: string): boolean {
    return key !== '' && key.length <= longestKey && (this.#apiKeys === null || this.#apiKeys.has(key));
  }

  /** @throws ServiceError `limit_reached` if the maximum number of accounts exists */
  of(key: string): Account {
    const known = this.#accounts.get(key);
    if (known) return known;
    this.requireRoom();
    const data = this.#fresh();
    const account = this.#open(key, data, this.#home.create(key, data));
    const first = this.startingScenario(key);
    this.#note(key, first);
    if (first) beginWith(account, first);
    return account;
  }

  /**
   * Returns the account of a call that only reads it, or that only removes something. If it does not exist, the call
   * sees it as it would begin, and nothing is created.
   */
  view(key: string): Account {
    const known = this.#accounts.get(key);
    if (known) return known;
    const account = buildAccount(this.#around, key, this.#fresh(), memoryPersistence());
    const first = this.startingScenario(key);
    if (first) beginWith(account, first);
    account.scheduler.close();
    account.dispatcher.forget();
    return account;
  }

  get isFull(): boolean {
    return this.#accounts.size >= this.#options.maxAccounts;
  }

  /**
   * Reserves room for an account; call it before the account starts.
   * @throws ServiceError `limit_reached`
   */
  requireRoom(): void {
    if (!this.isFull) return;
    throw new ServiceError(
      'limit_reached',
      `Limit reached: this sandbox already has ${this.#options.maxAccounts} accounts. Delete one with DELETE /_sandbox/accounts/KEY.`,
    );
  }

  /** Adds an account that starts with a copy of another's data. The caller has checked that the key is free. */
  addCopy(key: string, data: AccountData): Account {
    const persistence = this.#home.create(key, data);
    // An account is written to disk with its first change, which a copy may not make for a long time.
    persistence.append({ changes: [], meta: { seq: data.meta.seq } });
    return this.#open(key, data, persistence);
  }

  get(key: string): Account | undefined {
    return this.#accounts.get(key);
  }

  all(): Iterable<Account> {
    return this.#accounts.values();
  }

  /**
   * Returns the number that the account got when it was opened; it does not change when earlier accounts are deleted.
   */
  numberOf(account: Account): number {
    return this.#numbers.get(account) ?? 0;
  }

  get size(): number {
    return this.#accounts.size;
  }

  async drop(key: string): Promise<boolean> {
    const account = this.#accounts.get(key);
    if (!account) return false;
    this.#accounts.delete(key);
    this.#notices.delete(key);
    account.scheduler.close();
    account.dispatcher.forget();
    this.ending(account);
    for (const listener of this.#dropListeners) listener(account);
    await this.#home.remove(key);
    return true;
  }

  /**
   * Stops the time of every account, waits a short while for attempts in flight to finish, and writes the remaining
   * changes. An attempt that takes longer is repeated after the next start.
   */
  async close(): Promise<void> {
    const accounts = [...this.#accounts.values()];
    for (const account of accounts) account.scheduler.close();
    const quiet = Promise.all(accounts.map((account) => account.dispatcher.inFlight.quiet()));
    await within(longestGoodbyeMs, quiet, this.#around.host);
    for (const account of accounts) account.dispatcher.forget();
    await Promise.all(accounts.map((account) => account.store.close()));
  }

  /**
   * Returns the warning for every call with this key while no scenario is active: the starting scenario is unknown or
   * invalid.
   */
  notice(key: string): string | undefined {
    return this.#accounts.get(key)?.script.scenario ? undefined : this.#notices.get(key);
  }

  #note(key: string, first: StartingScenario | null): void {
    if (first?.notice !== undefined) this.#notices.set(key, first.notice);
  }

  startingScenario(key: string): StartingScenario | null {
    return this.#options.startingScenario(key);
  }

  /**
   * Returns the initial state of a clock, at first use and after a reset.
   * @param wanted settings of the call that override it
   */
  startClock(wanted: Partial<ClockSettings> = {}) {
    return startClock({ ...this.#options.clock, ...wanted }, this.#around.host);
  }

  #fresh(): AccountData {
    const clock = this.startClock();
    return { meta: { createdAtMs: clock.baseMs, seq: 0, draws: {}, clock }, tables: createTables() };
  }

  #open(key: string, data: AccountData, persistence: Persistence): Account {
    const account = buildAccount(this.#around, key, data, persistence);
    this.#accounts.set(key, account);
    this.#numbers.set(account, (this.#opened += 1));
    for (const listener of this.#listeners) listener(account);
    return account;
  }
}
