/** Lists the accounts of a data directory by key. Foreign files are quarantined and reported, so that none is overwritten. */
import { join } from 'node:path';
import { readHead } from './checkpoint-file.js';
import { DataDirectoryError, unlessMissing } from './disk-errors.js';
import { type Disk } from './disk.js';
import { accountFile, checkpointName, fileNameOf, logName } from './file-names.js';
import { setAside } from './quarantine.js';

export interface AccountFiles {
  /** The file name without ending. */
  readonly name: string;
  /** Generations of the log that are there, ascending. */
  readonly generations: readonly number[];
  /** Why the account is neither read nor written; null for all but files of a later version. */
  readonly refused: string | null;
}

type Warn = (text: string) => void;

/** JSON files by which a directory is known to be something else; moving them would break it. */
const othersFiles = ['package.json', 'tsconfig.json', 'composer.json', 'deno.json'];

export async function scanDirectory(disk: Disk, dir: string, warn: Warn): Promise<Map<string, AccountFiles>> {
  const names = await disk.list(dir);
  const other = othersFiles.find((name) => names.includes(name));
  if (other !== undefined) {
    throw new DataDirectoryError(
      `The data directory ${dir} holds ${other}, so it is a project's own directory. Give the sandbox its own ` +
        `directory, such as ${join(dir, 'sandbox-data')}.`,
    );
  }
  const generations = new Map<string, number[]>();
  const checkpoints: string[] = [];
  for (const fileName of names.sort()) {
    const file = accountFile(fileName);
    if (!file || !(await disk.isFile(join(dir, fileName)))) continue;
    // A checkpoint that was not finished: the one before it and its log still hold everything.
    if (file.kind === 'unfinished') await unlessMissing(disk.unlink(join(dir, fileName)));
    if (file.kind === 'checkpoint') checkpoints.push(file.name);
    if (file.kind === 'log') generations.set(file.name, [...(generations.get(file.name) ?? []), file.generation]);
  }
  const accounts = new Map<string, AccountFiles>();
  for (const name of checkpoints) {
    const logs = (generations.get(name) ?? []).sort((a, b) => a - b);
    generations.delete(name);
    await addAccount(disk, dir, accounts, name, logs, warn);
  }
  for (const [name, orphans] of generations) {
    for (const generation of orphans) {
      const kept = await setAside(disk, dir, logName(name, generation));
      warn(`${logName(name, generation)} belongs to ${checkpointName(name)}, which is missing. It is kept as ${kept}.`);
    }
  }
  return accounts;
}

async function addAccount(
  disk: Disk,
  dir: string,
  accounts: Map<string, AccountFiles>,
  name: string,
  generations: number[],
  warn: Warn,
): Promise<void> {
  const fileName = checkpointName(name);
  const head = await readHead(disk, join(dir, fileName));
  // A copy or a renamed file must not become a second file of an account, or stand where another account's belongs.
  if (head.ok && name === fileNameOf(head.value.key)) {
    accounts.set(head.value.key, { name, generations, refused: null });
    return;
  }
  if (!head.ok && head.newer) {
    const refused =
      `${join(dir, fileName)} holds the account ${JSON.stringify(head.key)}, but ${head.reason}. It is left as it is: use a ` +
      'newer sandbox, or move the file away to start the account anew.';
    accounts.set(head.key, { name, generations, refused });
    warn(refused);
    return;
  }
  const reason = head.ok
    ? `it holds the account ${JSON.stringify(head.value.key)}, whose file is ${checkpointName(fileNameOf(head.value.key))}`
    : head.reason;
  const kept = [await setAside(disk, dir, fileName)];
  for (const generation of generations) kept.push(await setAside(disk, dir, logName(name, generation)));
  warn(`${fileName} cannot be loaded: ${reason}. It is kept as ${kept.join(', ')}; everything else loads.`);
}
