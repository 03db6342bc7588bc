/** The version of the files, and how data of older versions becomes the present one. */
import { isObject } from './check.js';

export const accountFormat = 'messaging-sandbox/account';
export const logFormat = 'messaging-sandbox/log';
export const currentVersion = 2;

type Content = Record<string, unknown>;

/**
 * From each older version to the next.
 * 0: one plain lowdb file, rewritten whole with every change, without a log beside it.
 * 1: no checksum at the end, and no packed rows (which 2 reads and no longer writes).
 */
const migrations: readonly ((content: Content) => Content)[] = [
  (content) => ({ ...content, version: 1, log: 1 }),
  (content) => ({ ...content, version: 2 }),
];

/** An account file's head: whose it is, and the first generation of the log that goes on from it. */
export interface Head {
  readonly key: string;
  readonly log: number;
}

/** A head as it was read. */
export interface FoundHead extends Head {
  /** Whether the file has an older version, so that it should be written anew. */
  readonly older: boolean;
}

export type Verdict<T> =
  | { readonly ok: true; readonly value: T }
  /** The file comes from a later version: hands off. */
  | { readonly ok: false; readonly newer: true; readonly key: string; readonly reason: string }
  | { readonly ok: false; readonly newer: false; readonly reason: string };

/** Judges the head of an account file and brings its content up to the present version. */
export function upToDate(content: unknown): Verdict<{ head: FoundHead; content: Content }> {
  if (!isObject(content) || content.format !== accountFormat) {
    return foreign(`it is not an account file (its "format" is not "${accountFormat}")`);
  }
  const { version, key } = content;
  if (typeof key !== 'string' || key === '') return foreign('its "key" is missing');
  if (!Number.isSafeInteger(version) || (version as number) < 0)
    return foreign('its "version" is not a version number');
  if ((version as number) > currentVersion) {
    const reason = `it has version ${String(version)} and this sandbox supports versions up to ${currentVersion}`;
    return { ok: false, newer: true, key, reason };
  }
  const migrated = migrations.slice(version as number).reduce<Content>((older, migrate) => migrate(older), content);
  const { log } = migrated;
  if (typeof log !== 'number' || !Number.isSafeInteger(log) || log < 1) {
    return foreign('its "log" is not the number of a log');
  }
  return { ok: true, value: { head: { key, log, older: version !== currentVersion }, content: migrated } };
}

function foreign(reason: string): Verdict<never> {
  return { ok: false, newer: false, reason };
}
