/**
 * Counts what an account exercises as it happens, by listening to its writes. The counts last as long as the process;
 * after a start they are reconstructed from the stored records.
 */
import type { Attempt } from '../../domain/delivery.js';
import type { Endpoint } from '../../domain/endpoint.js';
import type { Event } from '../../domain/event.js';
import type { Message } from '../../domain/message.js';
import type { Otp } from '../../domain/otp.js';
import type { RequestRecord } from '../../domain/request-record.js';
import type { Row } from '../../domain/row.js';
import type { Template } from '../../domain/template.js';
import { tableEntries } from '../../store/tables/account-data.js';
import type { AccountStore } from '../../store/tables/account-store.js';
import type { Change } from '../../store/tables/table.js';

export class CoverageTally {
  /** By group, then by name. */
  readonly #counts = new Map<string, Map<string, number>>();

  /** @param source the initial counts, if the account is a copy */
  constructor(store: AccountStore, source?: Pick<CoverageTally, 'counts'>) {
    if (source) {
      for (const [group, counts] of source.counts) this.#counts.set(group, new Map(counts));
    } else {
      for (const [name, table] of tableEntries(store.tables)) {
        for (const row of table.rows()) this.#inserted(name, row);
      }
    }
    store.onCommit((changes) => {
      for (const change of changes) this.#count(change);
    });
  }

  get counts(): ReadonlyMap<string, ReadonlyMap<string, number>> {
    return this.#counts;
  }

  hits(group: string, name: string): number {
    return this.#counts.get(group)?.get(name) ?? 0;
  }

  clear(): void {
    this.#counts.clear();
  }

  #add(group: string, name: string): void {
    let counts = this.#counts.get(group);
    if (!counts) this.#counts.set(group, (counts = new Map<string, number>()));
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  #count(change: Change): void {
    if (change.op === 'insert') this.#inserted(change.table, change.row);
    else if (change.op === 'patch') this.#patched(change.table, change.patch, change.row);
  }

  #inserted(table: string, row: Row): void {
    switch (table) {
      case 'messages':
        this.#history(row as Message, 0);
        break;
      case 'templates':
        this.#template(row as Template);
        break;
      case 'endpoints':
        this.#endpoint(row as Endpoint);
        break;
      case 'otps':
        this.#add('OTP state', 'sent');
        this.#passed(row as Otp);
        break;
      case 'events':
        this.#add('event type', (row as Event).type);
        break;
      case 'attempts':
        this.#attempt(row as Attempt);
        break;
      case 'requests':
        this.#request(row as RequestRecord);
        break;
    }
  }

  #patched(table: string, patch: object, row: Row): void {
    if (table === 'messages' && 'history' in patch) {
      const message = row as Message;
      this.#history(message, message.history.length - 1);
    } else if (table === 'templates' && 'status' in patch) {
      this.#add('template state', (row as Template).status);
    } else if (table === 'endpoints') {
      this.#endpointMoved(patch);
    } else if (table === 'otps') {
      this.#otp(patch);
    }
  }

  #history({ origin, history }: Message, from: number): void {
    if (origin !== 'api') return;
    for (let at = from; at < history.length; at += 1) {
      const status = history[at]?.status ?? '';
      this.#add('message state', status);
      const before = history[at - 1];
      if (before) this.#add('message move', `${before.status} → ${status}`);
    }
  }

  /** The states that a stored template has had; every template was pending first. */
  #template({ status, history }: Template): void {
    // A template that was only submitted has no history.
    const states = history?.map((entry) => entry.status) ?? [status];
    if (states[0] !== 'pending') this.#add('template state', 'pending');
    for (const state of states) this.#add('template state', state);
  }

  /** The states that a stored endpoint must have had. */
  #endpoint({ status, pauses = 0 }: Endpoint): void {
    this.#add('endpoint state', pauses === 0 ? status : 'active');
    const returns = status === 'active' ? pauses : pauses - 1;
    for (let n = 0; n < pauses; n += 1) this.#add('endpoint state', 'paused');
    for (let n = 0; n < returns; n += 1) this.#add('endpoint state', 'active again');
  }

  #endpointMoved({ status, pauses }: Partial<Endpoint>): void {
    if (pauses !== undefined) this.#add('endpoint state', 'paused');
    if (status === 'active') this.#add('endpoint state', 'active again');
  }

  /** The states that a stored code must have had. */
  #passed({ state, maxAttempts, attemptsLeft }: Otp): void {
    for (let left = attemptsLeft; left < maxAttempts; left += 1) this.#add('OTP state', 'wrong code');
    if (state !== 'active') this.#add('OTP state', state);
  }

  #otp({ state, attemptsLeft }: Partial<Otp>): void {
    if (attemptsLeft !== undefined) this.#add('OTP state', 'wrong code');
    if (state !== undefined) this.#add('OTP state', state);
  }

  #attempt({ number, step = number, status, error, trigger }: Attempt): void {
    if (trigger === 'schedule' && step > 1) this.#add('retry step', gapBefore(step));
    this.#add('webhook answer', answerOf(status, error?.code));
  }

  #request({ operation, status, error }: RequestRecord): void {
    if (error !== undefined) this.#add('error code', error);
    if (error === 'otp_expired') this.#add('OTP state', 'expired');
    if (operation === null || status === null) return;
    this.#add('operation', `${operation} ${status >= 200 && status < 300 ? '2xx' : status}`);
  }
}

/** The gap in the retry schedule before an attempt. */
function gapBefore(step: number): string {
  return ['after 1 min', 'after 5 min', 'after 30 min'][step - 2] ?? 'hourly';
}

function answerOf(status: number | null, error: string | undefined): string {
  if (status !== null) return `${Math.floor(status / 100)}xx`;
  return error === 'timeout' ? 'timeout' : 'no connection';
}
