/**
 * Lists the accounts in a data directory by key. Foreign files are quarantined and reported, so that none is
 * overwritten.
 */
import { join } from 'node:path';
import { unusable } from './checkpoint.js';
import { readHead } from './checkpoint-reader.js';
import type { Disk } from './disk.js';
import { DataDirectoryError, errorText, unlessMissing } from './disk-errors.js';
import { accountFile, checkpointName, fileNameOf, logName } from './file-names.js';

export interface AccountFiles {
  /** The file name without its extension. */
  readonly name: string;
  /** Existing generations of the log, ascending. */
  readonly generations: readonly number[];
  /** Why the account is neither read nor written; null except for files of a later version. */
  readonly refused: string | null;
}

/** JSON files of other programs, which would break if they were moved. */
const othersFiles = ['package.json', 'tsconfig.json', 'composer.json', 'deno.json'];

/** @throws DataDirectoryError for the directory of a project */
export async function scanDirectory(
  disk: Disk,
  dir: string,
  warn: (text: string) => void,
): Promise<Map<string, AccountFiles>> {
  const names = await disk.list(dir);
  const other = othersFiles.find((name) => names.includes(name));
  if (other !== undefined) {
    throw new DataDirectoryError(
      `The data directory ${dir} holds ${other}, so it belongs to a project. Give the sandbox a separate ` +
        `directory, such as ${join(dir, 'sandbox-data')}.`,
    );
  }
  const generations = new Map<string, number[]>();
  const checkpoints: string[] = [];
  for (const fileName of names.sort()) {
    const file = accountFile(fileName);
    if (!file || !(await disk.isFile(join(dir, fileName)))) continue;
    // The checkpoint before an unfinished one and its log contain everything.
    if (file.kind === 'unfinished') await unlessMissing(disk.unlink(join(dir, fileName)));
    if (file.kind === 'checkpoint') checkpoints.push(file.name);
    if (file.kind === 'log') generations.set(file.name, [...(generations.get(file.name) ?? []), file.generation]);
  }
  const accounts = new Map<string, AccountFiles>();
  for (const name of checkpoints) {
    const logs = (generations.get(name) ?? []).sort((a, b) => a - b);
    generations.delete(name);
    const fileName = checkpointName(name);
    const head = await readHead(disk, join(dir, fileName)).catch((error: unknown) => unusable(errorText(error)));
    // A copy or a renamed file must not become a second file of an account, or take the name of another account's file.
    if (head.ok && name === fileNameOf(head.value.key)) {
      accounts.set(head.value.key, { name, generations: logs, refused: null });
    } else if (!head.ok && head.newer) {
      const refused =
        `${join(dir, fileName)} contains the account ${JSON.stringify(head.key)}, but ${head.reason}. It is unchanged: use a ` +
        'newer sandbox, or move the file away to start the account anew.';
      accounts.set(head.key, { name, generations: logs, refused });
      warn(refused);
    } else {
      const reason = head.ok
        ? `it contains the account ${JSON.stringify(head.value.key)}, whose file is ${checkpointName(fileNameOf(head.value.key))}`
        : head.reason;
      const kept = await setAside(disk, dir, [fileName, ...logs.map((generation) => logName(name, generation))]);
      warn(`${fileName} cannot be loaded: ${reason}. It is kept as ${kept}; everything else loads.`);
    }
  }
  for (const [name, orphans] of generations) {
    for (const generation of orphans) {
      const kept = await setAside(disk, dir, [logName(name, generation)]);
      warn(`${logName(name, generation)} belongs to ${checkpointName(name)}, which is missing. It is kept as ${kept}.`);
    }
  }
  return accounts;
}

/** Quarantines files that cannot be used: moves each to `FILE.set-aside-N`. Returns the new names, as text. */
export async function setAside(disk: Disk, dir: string, fileNames: readonly string[]): Promise<string> {
  const kept: string[] = [];
  for (const fileName of fileNames) {
    const name = await freeName(disk, dir, fileName);
    await disk.rename(join(dir, fileName), join(dir, name)).catch((error: unknown) => {
      throw new DataDirectoryError(
        `${join(dir, fileName)} cannot be used, and it cannot be moved away (${errorText(error)}). ` +
          'Repair the file or its permissions, or choose another data directory.',
        { cause: error },
      );
    });
    kept.push(name);
  }
  await disk.syncDirectory(dir);
  return kept.join(', ');
}

/** Copies a damaged file to `FILE.set-aside-N`; the file itself stays until it is rewritten. Returns the new name. */
export async function keepCopy(disk: Disk, dir: string, fileName: string): Promise<string> {
  const kept = await freeName(disk, dir, fileName);
  await disk.copy(join(dir, fileName), join(dir, kept));
  await disk.syncDirectory(dir);
  return kept;
}

async function freeName(disk: Disk, dir: string, fileName: string): Promise<string> {
  const names = new Set(await disk.list(dir));
  let n = 1;
  while (names.has(`${fileName}.set-aside-${n}`)) n += 1;
  return `${fileName}.set-aside-${n}`;
}
