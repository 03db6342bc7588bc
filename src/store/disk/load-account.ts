/** Loads an account: its checkpoint, then its logs. Unusable parts are quarantined and reported. */
import { join } from 'node:path';
import type { AccountData } from '../tables/account-data.js';
import { readCheckpoint } from './checkpoint-reader.js';
import type { Disk } from './disk.js';
import { unlessMissing } from './disk-errors.js';
import { checkpointName, logName } from './file-names.js';
import { Replay } from './replay.js';
import { keepCopy, setAside } from './scan-directory.js';

export interface LoadOptions {
  readonly disk: Disk;
  readonly dir: string;
  readonly name: string;
  readonly key: string;
  /** Existing generations of the log, ascending. */
  readonly generations: readonly number[];
  readonly warn: (text: string) => void;
}

export interface FoundFiles {
  readonly checkpointBytes: number;
  /** The first generation that the checkpoint does not contain. */
  readonly from: number;
  /** The generation to continue, its size, and the size of all generations since the checkpoint. */
  readonly generation: number;
  readonly size: number;
  readonly logBytes: number;
  /** Whether the log can continue. If not, the account must be written completely first. */
  readonly isWhole: boolean;
}

export interface LoadedAccount {
  readonly data: AccountData;
  readonly found: FoundFiles;
}

/** Returns null if the checkpoint cannot be used; it is then quarantined with its log. */
export async function loadAccount(options: LoadOptions): Promise<LoadedAccount | null> {
  const { disk, dir, name, key, generations, warn } = options;
  const fileName = checkpointName(name);
  const account = JSON.stringify(key);
  const bytes = await disk.read(join(dir, fileName));
  const checkpoint = readCheckpoint(bytes);
  if (!checkpoint.ok) {
    const kept = await setAside(disk, dir, [fileName, ...generations.map((generation) => logName(name, generation))]);
    warn(
      `${fileName} cannot be loaded: ${checkpoint.reason}. It is kept as ${kept}; the account ${account} starts empty.`,
    );
    return null;
  }
  const { head, data, damage, lost, breakOff } = checkpoint.value;
  if (damage !== null) {
    const kept = await keepCopy(disk, dir, fileName);
    const records = lost === 1 ? '1 record' : `${lost} records`;
    warn(
      `${fileName} is damaged: ${damage}. ${records} of the account ${account} could not be read.` +
        `${breakOff === null ? '' : ` It ends ${breakOff}.`} The file is kept as ${kept}; everything else in it, and its log, is loaded.`,
    );
  }
  const replay = new Replay(data);
  const since = generations.filter((generation) => generation >= head.log);
  let isDamaged = damage !== null;
  let isTorn = false;
  let size = 0;
  let logBytes = 0;
  for (const [index, generation] of since.entries()) {
    const logFile = logName(name, generation);
    if (generation !== head.log + index && !isDamaged) {
      isDamaged = true;
      warn(`${logName(name, head.log + index)} is missing: its changes of the account ${account} are lost.`);
    }
    const { goodBytes, tornBytes, bad } = replay.apply(await disk.read(join(dir, logFile)), key);
    size = goodBytes;
    logBytes += size;
    if (tornBytes > 0) {
      isTorn = true;
      warn(
        `${logFile} ends in the middle of a line: its last ${tornBytes} of ${size + tornBytes} bytes were ` +
          'being written when the sandbox stopped, and were truncated.',
      );
    }
    if (bad) {
      isDamaged = true;
      const { line, reason, count } = bad;
      const lines = count === 1 ? `line ${line}` : `${count} lines, the first being line ${line},`;
      const kept = await keepCopy(disk, dir, logFile);
      warn(`${logFile}: ${lines} ${reason}. The file is kept as ${kept}; everything else in it is loaded.`);
    }
  }
  for (const generation of generations) {
    if (generation < head.log) await unlessMissing(disk.unlink(join(dir, logName(name, generation))));
  }
  if (isDamaged) replay.skipAhead();
  return {
    data: replay.build(),
    found: {
      checkpointBytes: bytes.length,
      from: head.log,
      generation: since.at(-1) ?? head.log,
      size,
      logBytes,
      isWhole: !isDamaged && !isTorn && !head.older,
    },
  };
}
