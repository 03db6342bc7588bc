/** The accounts of a sandbox, one for each key, created on first use. */
import { ServiceError } from '../domain/errors.js';
import { beginWith } from '../stage/activate.js';
import type { StartingScenario } from '../stage/starting-scenario.js';
import { type AccountData, createTables } from '../store/account-data.js';
import type { AccountDisk } from '../store/account-disk.js';
import { startClock, type ClockSettings } from '../time/account-clock.js';
import { within } from '../time/system-clock.js';
import type { Account } from '../account/account.js';
import { EndedVerdicts } from '../stage/verdicts.js';
import { type BuildParts, buildAccount } from './build.js';

export const defaultKey = 'test_default';
export const longestKey = 2_048;

export interface AccountsParts extends BuildParts {
  readonly home: {
    create(key: string, data: AccountData): AccountDisk | null;
    /** The snapshots go as well. The key can be reused immediately. */
    remove(key: string): Promise<void>;
  };
  readonly clock: ClockSettings;
  /** Null: every non-empty key is an account. */
  readonly apiKeys: readonly string[] | null;
  readonly maxAccounts: number;
}

type Listener = (account: Account) => void;

export class Accounts {
  /** A set finds a key by its hash, so the duration of a lookup does not reveal how much of a guess was right. */
  readonly #apiKeys: ReadonlySet<string> | null;
  readonly #accounts = new Map<string, Account>();
  #opened = 0;
  readonly ended = new EndedVerdicts();
  readonly #listeners = { open: new Set<Listener>(), drop: new Set<Listener>(), end: new Set<Listener>() };

  constructor(private readonly parts: AccountsParts) {
    this.#apiKeys = parts.apiKeys === null ? null : new Set(parts.apiKeys);
  }

  onOpen(listener: Listener): void {
    this.#listeners.open.add(listener);
    for (const account of this.#accounts.values()) listener(account);
  }

  /** Called once the account cannot be reached; returns a function that stops this. */
  onDrop(listener: Listener): () => boolean {
    this.#listeners.drop.add(listener);
    return () => this.#listeners.drop.delete(listener);
  }

  /** Called before records are removed or replaced. */
  onEnd(listener: Listener): void {
    this.#listeners.end.add(listener);
  }

  holds(account: Account): boolean {
    return this.#accounts.get(account.key) === account;
  }

  restore(key: string, data: AccountData, disk: AccountDisk | null): Account {
    const account = this.#build(key, data, disk, (this.#opened += 1));
    this.#accounts.set(key, account);
    for (const listener of this.#listeners.open) listener(account);
    return account;
  }

  accepts(key: string): boolean {
    return key !== '' && key.length <= longestKey && (this.#apiKeys === null || this.#apiKeys.has(key));
  }

  of(key: string): Account {
    const known = this.#accounts.get(key);
    if (known) return known;
    this.requireRoom();
    const data = this.#fresh();
    return this.#begin(this.restore(key, data, this.parts.home.create(key, data)));
  }

  /** For a call that only reads or removes: it sees a missing account as it would begin, and nothing is created. */
  view(key: string): Account {
    const known = this.#accounts.get(key);
    if (known) return known;
    const account = this.#begin(this.#build(key, this.#fresh(), null));
    account.scheduler.close();
    account.dispatcher.forget();
    return account;
  }

  get isFull(): boolean {
    return this.#accounts.size >= this.parts.maxAccounts;
  }

  requireRoom(): void {
    if (!this.isFull) return;
    throw new ServiceError(
      'limit_reached',
      `Limit reached: this sandbox already has ${this.parts.maxAccounts} accounts. Delete one with DELETE /_sandbox/accounts/KEY.`,
    );
  }

  /** The caller has checked that the key is free. */
  addCopy(key: string, data: AccountData): Account {
    const disk = this.parts.home.create(key, data);
    // An account is written to disk with its first change, which a copy may not make for a long time.
    disk?.append([], JSON.stringify(data.meta));
    return this.restore(key, data, disk);
  }

  get(key: string): Account | undefined {
    return this.#accounts.get(key);
  }

  all(): Iterable<Account> {
    return this.#accounts.values();
  }

  async drop(key: string): Promise<boolean> {
    const account = this.#accounts.get(key);
    if (!account) return false;
    this.#accounts.delete(key);
    account.scheduler.close();
    account.generation.end('deleted');
    for (const listener of this.#listeners.drop) listener(account);
    await this.parts.home.remove(key);
    return true;
  }

  /** Waits at most 3 s for attempts in flight. An attempt that takes longer is repeated after the next start. */
  async close(): Promise<void> {
    const accounts = [...this.#accounts.values()];
    for (const account of accounts) account.scheduler.close();
    const quiet = Promise.all(accounts.map((account) => account.dispatcher.inFlight.quiet()));
    await within(3_000, quiet, this.parts.host);
    for (const account of accounts) account.dispatcher.forget();
    await Promise.all(accounts.map((account) => account.store.timeNoted()));
  }

  startingScenario(key: string): StartingScenario | null {
    return this.parts.startingScenario(key);
  }

  /** The initial state, at first use and after a reset; `wanted` overrides the configured clock. */
  startClock(wanted: Partial<ClockSettings> = {}) {
    return startClock({ ...this.parts.clock, ...wanted }, this.parts.host);
  }

  #fresh(): AccountData {
    const clock = this.startClock();
    return { meta: { createdAtMs: clock.baseMs, seq: 0, draws: {}, clock }, tables: createTables() };
  }

  #begin(account: Account): Account {
    const first = this.startingScenario(account.key);
    if (first) beginWith(account, first);
    return account;
  }

  #build(key: string, data: AccountData, disk: AccountDisk | null, number = 0): Account {
    const account = buildAccount(this.parts, { key, data, disk, number });
    account.generation.onEnd(() => {
      this.ended.note(account);
      for (const listener of this.#listeners.end) listener(account);
    });
    return account;
  }
}
