import { docsFiles } from '../src/http/docs-page.js';
import { build, type Metafile, type Plugin } from 'esbuild';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { lateFiles, writeLateFiles } from './bundle/late-files.js';
import { lateRequires } from './bundle/late-requires.js';
import { licenceTexts } from './licences.js';
import { buildPage } from './page.js';

/**
 * A source that loads something late, through createRequire, would look for it in node_modules at run time, and the
 * image has none. As a plain `require` it is found here, and still run at first need only.
 */
const lateLoadsAreBundled: Plugin = {
  name: 'late-loads-are-bundled',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: text.replaceAll('createRequire(import.meta.url)(', 'require('), loader: 'ts' };
    });
  },
};

/**
 * What shares its modules is cut where it does, and each cut is one more file that a start reads. So the library, which
 * has few parts, shares none with the commands of the CLI.
 */
const everyWorld = [['src/cli/main.ts'], ['src/index.ts', 'src/testing/vitest.ts']];

/** Bundles the CLI and the library into `outdir`: one file per entry plus shared chunks, for a fast start. */
export async function bundle(outdir: string, worlds: readonly (readonly string[])[] = everyWorld): Promise<void> {
  const inputs = await Promise.all([
    ...worlds.map((entryPoints) => bundleWorld(outdir, entryPoints)),
    writeLateFiles(outdir),
    buildPage(join(outdir, 'ui')),
  ]);
  await writeFile(
    join(outdir, 'THIRD-PARTY-LICENCES.txt'),
    await licenceTexts([...inputs.flat(), ...Object.values(docsFiles).map((file) => file.source)]),
  );
  await cp('openapi.yaml', join(outdir, 'openapi.yaml'));
  for (const [name, { source }] of Object.entries(docsFiles)) {
    await cp(source.startsWith('node_modules') ? source : join('src', source), join(outdir, 'api-docs', name));
  }
}

/** @returns the source files that went into it */
async function bundleWorld(outdir: string, entryPoints: readonly string[]): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [...entryPoints],
    outdir,
    outbase: 'src',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: true,
    minifySyntax: true,
    minifyWhitespace: true,
    metafile: true,
    logLevel: 'silent',
    // The hooks of the helper must be those of the vitest that runs the user's tests.
    external: ['vitest'],
    plugins: [lateLoadsAreBundled, lateFiles, lateRequires],
    // Bundled CommonJS packages call require for Node's own modules; ESM has none unless it is made here.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  requireLateFilesInReach(metafile, outdir);
  return Object.keys(metafile.inputs);
}

/** Late files are named from the root of the bundle, so whatever names them has to lie there. */
function requireLateFilesInReach({ outputs }: Metafile, outdir: string): void {
  for (const [path, { imports }] of Object.entries(outputs)) {
    const late = imports.find((entry) => entry.external === true && entry.path.startsWith('./late/'));
    if (late && dirname(resolve(path)) !== resolve(outdir)) {
      throw new Error(`${path} asks for ${late.path} beside it; have a shared chunk ask for it.`);
    }
  }
}
