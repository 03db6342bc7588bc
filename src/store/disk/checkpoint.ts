/**
 * A checkpoint: the whole account as JSON that any tool can read, with one record per line and the head on the first
 * line. A checksum ends it, so that the records of an unedited file need no validation.
 */
import { crc32 } from 'node:zlib';
import type { SystemClock } from '../../time/system-clock.js';
import { turnOfOthers } from '../../time/turns.js';
import type { Capture } from '../tables/capture.js';
import { isObject } from '../../domain/check.js';

export const currentVersion = 2;
const accountFormat = 'messaging-sandbox/account';

/** The account of a file, and the first generation of the log that continues it. */
export interface Head {
  readonly key: string;
  readonly log: number;
}

export function* checkpointSlices(head: Head, capture: Capture): Generator<Buffer> {
  const first = JSON.stringify({ format: accountFormat, version: currentVersion, key: head.key, log: head.log });
  let sum = 0;
  let before = `${first.slice(0, -1)},\n`;
  for (const text of capture.slices()) {
    const bytes = Buffer.from(before + text);
    before = '';
    sum = crc32(bytes, sum);
    yield bytes;
  }
  const end = Buffer.from(',\n');
  yield Buffer.concat([end, Buffer.from(sumLine(crc32(end, sum)))]);
}

/** Turns of the event loop between two slices, so that calls keep most of the processor. */
const turnsBetween = 8;

export async function* inPassing(slices: Iterable<Buffer>, host: SystemClock): AsyncGenerator<Buffer> {
  for (const slice of slices) {
    yield slice;
    for (let turn = 0; turn < turnsBetween; turn += 1) await turnOfOthers(host);
  }
}

/** Whether the checksum proves that no byte has changed. */
export function isUntouched(bytes: Buffer): boolean {
  const start = bytes.lastIndexOf(10, -2) + 1;
  return start > 0 && bytes.toString('latin1', start) === sumLine(crc32(bytes.subarray(0, start)));
}

function sumLine(sum: number): string {
  return `"sum":"${sum.toString(16).padStart(8, '0')}"}\n`;
}

type Content = Record<string, unknown>;

/**
 * From each older version to the next.
 * 0: one plain lowdb file that was rewritten with every change, without a log.
 * 1: no checksum at the end, and no packed rows (which 2 reads and no longer writes).
 */
const migrations: readonly ((content: Content) => Content)[] = [
  (content) => ({ ...content, version: 1, log: 1 }),
  (content) => ({ ...content, version: 2 }),
];

export interface FoundHead extends Head {
  /** Whether the file has an older version and must be rewritten. */
  readonly older: boolean;
}

export type Verdict<T> =
  | { readonly ok: true; readonly value: T }
  /** The file comes from a later version and must not be changed. */
  | { readonly ok: false; readonly newer: true; readonly key: string; readonly reason: string }
  | { readonly ok: false; readonly newer: false; readonly reason: string };

/** Validates the head of an account file and migrates its content to the current version. */
export function upToDate(content: unknown): Verdict<{ readonly head: FoundHead; readonly content: Content }> {
  if (!isObject(content) || content.format !== accountFormat) {
    return unusable(`it is not an account file (its "format" is not "${accountFormat}")`);
  }
  const { version, key } = content;
  if (typeof key !== 'string' || key === '') return unusable('its "key" is missing');
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 0) {
    return unusable('its "version" is not a version number');
  }
  if (version > currentVersion) {
    const reason = `it has version ${version} and this sandbox supports versions up to ${currentVersion}`;
    return { ok: false, newer: true, key, reason };
  }
  const migrated = migrations.slice(version).reduce<Content>((older, migrate) => migrate(older), content);
  const { log } = migrated;
  if (typeof log !== 'number' || !Number.isSafeInteger(log) || log < 1) {
    return unusable('its "log" is not the number of a log');
  }
  return { ok: true, value: { head: { key, log, older: version !== currentVersion }, content: migrated } };
}

export function unusable(reason: string): Verdict<never> {
  return { ok: false, newer: false, reason };
}
