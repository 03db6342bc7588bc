import { getHeapStatistics } from 'node:v8';
import { ServiceError } from '../../domain/errors.js';

/** The memory that all accounts of a sandbox share, in bytes: their rows, and the snapshots in memory. */
export class MemoryBudget {
  #used = 0;

  constructor(readonly limit: number) {}

  get used(): number {
    return this.#used;
  }

  get isFull(): boolean {
    return this.#used >= this.limit;
  }

  add(bytes: number): void {
    this.#used += bytes;
  }

  /**
   * Must be called before a call that stores something.
   * @param bytes the known size of what the call stores
   * @throws ServiceError `limit_reached` when the limit is reached or would be exceeded
   */
  requireRoom(bytes = 0): void {
    if (!this.isFull && this.#used + bytes <= this.limit) return;
    throw new ServiceError(
      'limit_reached',
      `The accounts of this sandbox use ${megabytes(this.#used)} of memory; the limit is ${megabytes(this.limit)}${bytes > 0 ? `, and this call would store ${megabytes(bytes)} more` : ''}. Nothing was ` +
        'stored. Free memory with DELETE /_sandbox/accounts/KEY, POST /_sandbox/reset, DELETE /_sandbox/requests or ' +
        'DELETE /_sandbox/snapshots/NAME, or start with a higher --memory-limit.',
    );
  }
}

/** The bytes of an empty account: its tables, random streams and clock. */
const emptyAccount = 36_000;

/** The part of the budget that one account uses. */
export class MemoryShare {
  weight = 0;

  constructor(readonly budget: MemoryBudget) {}

  weigh(tables: Readonly<Record<string, { readonly weight: number }>>): void {
    let weight = emptyAccount;
    for (const name in tables) weight += tables[name]?.weight ?? 0;
    this.budget.add(weight - this.weight);
    this.weight = weight;
  }

  leave(): void {
    this.budget.add(-this.weight);
    this.weight = 0;
  }
}

/** 1 GB, or half of what the process may allocate if that is less. */
export function standardMemoryLimit(): number {
  return Math.min(2 ** 30, Math.floor(getHeapStatistics().heap_size_limit / 2));
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}
