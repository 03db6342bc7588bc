/**
 * Builds the sandbox as one executable file with Node in it, for the machine that it runs on:
 * `npm run build && npx tsx scripts/binary.ts`. It takes the pages from dist/, and writes dist-binary/messaging-sandbox.
 */
import { execFileSync } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleScript } from './bundle.js';

/** Node searches for this text to detect an injected script (nodejs.org/api/single-executable-applications.html). */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const onMac = process.platform === 'darwin';

/**
 * @param dist the folder in which `npm run build` put the served files
 * @returns the path of the executable
 */
export async function buildBinary(dist: string, outdir: string): Promise<string> {
  await mkdir(outdir, { recursive: true });
  const script = join(outdir, 'main.cjs');
  await bundleScript(script);

  const folders = [join(dist, 'ui'), join(dist, 'api-docs'), 'docs', 'scenarios'];
  const found = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true })));
  const files = found.flat().flatMap((file) => (file.isFile() ? [join(file.parentPath, file.name)] : []));
  const assets: Record<string, string> = { 'llms.txt': 'llms.txt' };
  for (const file of files) {
    const from = file.startsWith(dist + sep) ? dist : '.';
    assets[relative(from, file).replaceAll(sep, '/')] = resolve(file);
  }
  const names = join(outdir, 'files.json');
  await writeFile(names, JSON.stringify(Object.keys(assets)));

  const blob = join(outdir, 'blob');
  const config = join(outdir, 'config.json');
  await writeFile(
    config,
    JSON.stringify({
      main: script,
      output: blob,
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
      assets: { ...assets, files: names },
    }),
  );
  quietly('--experimental-sea-config', config);

  const binary = join(outdir, `messaging-sandbox${process.platform === 'win32' ? '.exe' : ''}`);
  await copyFile(process.execPath, binary);
  await chmod(binary, 0o755);
  if (onMac) execFileSync('codesign', ['--remove-signature', binary]);
  const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js');
  const segment = onMac ? ['--macho-segment-name', 'NODE_SEA'] : [];
  quietly(postject, binary, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse, ...segment);
  if (onMac) execFileSync('codesign', ['--sign', '-', binary]);
  return binary;
}

/** Runs Node. @throws Error with its output, if it fails */
function quietly(...args: string[]): void {
  execFileSync(process.execPath, args, { stdio: 'pipe' });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(await buildBinary('dist', 'dist-binary'));
}
