/** The project as `npm run build` makes it: the bundle, not the sources, in a folder of this run's own. */
import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { bundle } from '../../scripts/bundle.js';

let built: Promise<string> | undefined;

/** Inside the project, where the bundle finds the files that come with it; gone when this process ends. */
function builtFolder(): Promise<string> {
  built ??= (async () => {
    const outdir = resolve(`node_modules/.cache/messaging-sandbox/bench-${process.pid}`);
    process.on('exit', () => rmSync(outdir, { recursive: true, force: true }));
    await mkdir(outdir, { recursive: true });
    await bundle(outdir);
    return outdir;
  })();
  return built;
}

export async function builtCli(): Promise<string> {
  return resolve(await builtFolder(), 'cli/main.js');
}

export async function builtLibrary(): Promise<string> {
  return resolve(await builtFolder(), 'index.js');
}
