/** Reads an account back: its checkpoint, then the generations of its log since. What cannot be used is quarantined and reported. */
import { join } from 'node:path';
import type { AccountData, PlainAccountData } from '../tables/account-data.js';
import { readCheckpoint } from './checkpoint-file.js';
import { type Disk } from './disk.js';
import { unlessMissing } from './disk-errors.js';
import type { FoundFiles } from './file-persistence.js';
import { checkpointName, logName } from './file-names.js';
import { applyLog } from './log-file.js';
import { parsePlainData, PlainDataError } from './account-schema.js';
import { Replica } from './log-replay.js';
import { type Salvaged, salvageCheckpoint } from './salvage.js';
import { keepAside, setAside } from './quarantine.js';

export interface LoadOptions {
  readonly disk: Disk;
  readonly dir: string;
  readonly name: string;
  readonly key: string;
  /** Generations of the log that are there, ascending. */
  readonly generations: readonly number[];
  readonly warn: (text: string) => void;
}

export interface LoadedAccount {
  readonly data: AccountData;
  readonly found: FoundFiles;
  /** Lines were lost, or the version was older: what loaded must be written down whole before it goes on. */
  readonly rewrite: boolean;
}

/** The account, or null when its checkpoint could not be used (it is set aside then, with its log). */
export async function loadAccount(options: LoadOptions): Promise<LoadedAccount | null> {
  const { disk, dir, name, key, generations, warn } = options;
  const fileName = checkpointName(name);
  const bytes = await disk.read(join(dir, fileName));
  const { reason, account } = readAccount(bytes);
  if (account === null) {
    await setAccountAside(options, reason);
    return null;
  }
  const { head, data, lost, breakOff } = account;
  const replica = new Replica(data);
  let damaged = reason !== '';
  if (damaged) {
    const kept = await keepAside(disk, dir, fileName);
    const records = lost === 1 ? '1 record' : `${lost} records`;
    warn(
      `${fileName} is damaged: ${reason}. ${records} of the account ${shown(key)} could not be read.` +
        `${breakOff === null ? '' : ` It breaks off ${breakOff}.`} The file is kept as ${kept}; everything else in it, and its log, is loaded.`,
    );
  }
  const since = generations.filter((generation) => generation >= head.log);
  let size = 0;
  let logBytes = 0;
  for (const [index, generation] of since.entries()) {
    const logFile = logName(name, generation);
    if (generation !== head.log + index && !damaged) {
      damaged = true;
      warn(`${logName(name, head.log + index)} is missing: its changes of the account ${shown(key)} are lost.`);
    }
    const report = applyLog(await disk.read(join(dir, logFile)), key, replica);
    size = report.goodBytes;
    logBytes += size;
    if (report.tornBytes > 0) {
      warn(
        `${logFile} ends in the middle of a line: its last ${report.tornBytes} of ${size + report.tornBytes} bytes were ` +
          'being written when the sandbox stopped, and were truncated.',
      );
      await cut(disk, join(dir, logFile), size);
    }
    if (report.bad) {
      damaged = true;
      const { line, reason, count } = report.bad;
      const lines = count === 1 ? `line ${line}` : `${count} lines, the first being line ${line},`;
      const kept = await keepAside(disk, dir, logFile);
      warn(`${logFile}: ${lines} ${reason}. The file is kept as ${kept}; everything else in it is loaded.`);
    }
  }
  for (const generation of generations) {
    if (generation < head.log) await unlessMissing(disk.unlink(join(dir, logName(name, generation))));
  }
  if (damaged) replica.skipAhead();
  return {
    data: replica.build(),
    rewrite: damaged || head.older,
    found: {
      checkpointBytes: bytes.length,
      from: head.log,
      generation: since.at(-1) ?? head.log,
      size,
      logBytes,
    },
  };
}

/** The checkpoint and what is wrong with it, if anything: then what can be had of it all the same, or null. */
function readAccount(bytes: Buffer): { readonly reason: string; readonly account: Salvaged | null } {
  const damaged = (reason: string) => ({ reason, account: salvageCheckpoint(bytes) });
  const checkpoint = readCheckpoint(bytes);
  if (!checkpoint.ok) return damaged(checkpoint.reason);
  const { head, content, untouched } = checkpoint.value;
  try {
    // What we wrote ourselves was judged when it came in.
    const data = untouched ? (content as unknown as PlainAccountData) : parsePlainData(content);
    return { reason: '', account: { head, data, lost: 0, breakOff: null } };
  } catch (error) {
    if (error instanceof PlainDataError) return damaged(error.message);
    throw error;
  }
}

/** The log of an account goes with its checkpoint: alone it says only what changed. */
async function setAccountAside(
  { disk, dir, name, key, generations, warn }: LoadOptions,
  reason: string,
): Promise<void> {
  const kept = [await setAside(disk, dir, checkpointName(name))];
  for (const generation of generations) kept.push(await setAside(disk, dir, logName(name, generation)));
  warn(
    `${checkpointName(name)} cannot be loaded: ${reason}. It is kept as ${kept.join(', ')}; ` +
      `the account ${shown(key)} starts empty.`,
  );
}

async function cut(disk: Disk, path: string, length: number): Promise<void> {
  const file = await disk.open(path, 'r+');
  try {
    await disk.truncate(file, length);
  } finally {
    await disk.close(file);
  }
}

function shown(key: string): string {
  return JSON.stringify(key);
}
