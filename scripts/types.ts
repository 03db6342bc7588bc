/** Builds the type declarations of the package's exports, and no others. */
import { execFile } from 'node:child_process';
import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

const entries = ['index', 'client/vitest', 'client/node-test', 'client/playwright'].map((name) => `${name}.d.ts`);

/**
 * Writes the declaration files to `outdir`, then removes those that no export refers to: they are not part of the API,
 * and some refer to packages that users do not have.
 * @throws Error with the compiler's message
 */
export async function emitTypes(outdir: string): Promise<void> {
  await compile(outdir);
  const needed = new Set<string>();
  for (const entry of entries) await follow(join(outdir, entry), needed);
  for (const file of await readdir(outdir, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (file.isFile() && !needed.has(path)) await rm(path);
  }
  await removeEmptyFolders(outdir);
  await cp('src/index.d.cts', join(outdir, 'index.d.cts'));
}

function compile(outdir: string): Promise<void> {
  const args = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', outdir];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, (error, stdout, stderr) => {
      if (error === null) resolve();
      else reject(new Error(`tsc refused to emit the types:\n${stdout}${stderr}`));
    });
  });
}

async function follow(path: string, needed: Set<string>): Promise<void> {
  if (needed.has(path)) return;
  needed.add(path);
  const { importedFiles } = ts.preProcessFile(await readFile(path, 'utf8'), true, true);
  for (const { fileName } of importedFiles) {
    if (fileName.startsWith('.')) await follow(join(path, '..', fileName.replace(/\.js$/, '.d.ts')), needed);
  }
}

async function removeEmptyFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    await removeEmptyFolders(path);
    if ((await readdir(path)).length === 0) await rm(path, { recursive: true });
  }
}
