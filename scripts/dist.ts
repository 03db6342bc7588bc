/** Writes dist/: our sources as JavaScript with types, one file for each, and what the server serves. */
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { docsFiles } from '../src/http/pages/docs.js';
import { buildPage } from './page.js';

/**
 * @param compile writes the JavaScript of `src` into a folder
 * @throws Error with the compiler's message
 */
export async function writeDist(outdir: string, compile: (outdir: string) => Promise<unknown>): Promise<void> {
  const generated = await readdir('src/generated');
  const copied = generated.filter((name) => /\.js(?:on)?$/.test(name)).map((name) => `generated/${name}`);
  await Promise.all([compile(outdir), buildPage(join(outdir, 'ui'))]);
  // npm makes the command executable when it links it; a later build must leave it so.
  await chmod(join(outdir, 'cli/main.js'), 0o755);
  // The entry points for `require`, with their types.
  const required = (await readdir('src', { recursive: true })).filter((name) => /\.c(?:js|ts)$/.test(name));
  for (const name of [...copied, ...required]) await cp(join('src', name), join(outdir, name));
  await mkdir(join(outdir, 'api-docs'), { recursive: true });
  for (const [name, source] of Object.entries(docsFiles)) {
    await cp(source.startsWith('node_modules') ? source : join('src', source), join(outdir, 'api-docs', name));
  }
  // Apache 2.0, section 4: both accompany every copy.
  for (const name of ['LICENSE', 'NOTICE']) {
    await cp(join('node_modules/swagger-ui-dist', name), join(outdir, 'api-docs', `swagger-ui-${name}`));
  }
}

/** Compiles as the package does. Types are not checked: `npm run check` does. */
export async function compile(outdir: string): Promise<void> {
  const args = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', outdir];
  await promisify(execFile)(process.execPath, args).catch((error: unknown) => {
    throw new Error(`tsc failed:\n${(error as { stdout?: string }).stdout ?? ''}`, { cause: error });
  });
}
