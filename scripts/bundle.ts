import { docsFiles } from '../src/http/pages/docs.js';
import { build, type Metafile, type Plugin } from 'esbuild';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { lateBuiltins } from './bundle/late-builtins.js';
import { lateFiles, writeLateFiles } from './bundle/late-files.js';
import { lateRequires } from './bundle/late-requires.js';
import { quietDebug } from './bundle/quiet-debug.js';
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
 * What shares its modules is cut where it does, and each cut is one more file that a start reads. So a start of the CLI, its
 * other commands and the library each have all of theirs to themselves.
 */
const cli = [['src/cli/main.ts'], ['src/cli/command-line.ts']];
const library = ['src/index.ts', 'src/client/vitest.ts'];

/** Bundles the CLI and the library into `outdir`: one file per entry plus shared chunks, for a fast start. */
export async function bundle(outdir: string): Promise<void> {
  await bundleWorlds(outdir, [...cli, library]);
}

/** The CLI without the library. */
export async function bundleCli(outdir: string): Promise<void> {
  await bundleWorlds(outdir, cli);
}

async function bundleWorlds(outdir: string, worlds: readonly (readonly string[])[]): Promise<void> {
  const inputs = await Promise.all([
    ...worlds.map((entryPoints) => bundleWorld(outdir, entryPoints, worldsApart(worlds))),
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

/** Where one world asks for the entry of another, it asks for the file. */
function worldsApart(worlds: readonly (readonly string[])[]): Plugin {
  const entries = new Set(worlds.flat().map((entry) => resolve(entry)));
  return {
    name: 'worlds-apart',
    setup(bundler) {
      bundler.onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir, kind }) => {
        const source = resolve(resolveDir, path.replace(/\.js$/, '.ts'));
        return kind === 'dynamic-import' && entries.has(source) ? { path, external: true } : undefined;
      });
    },
  };
}

/** @returns the source files that went into it */
async function bundleWorld(outdir: string, entryPoints: readonly string[], apart: Plugin): Promise<string[]> {
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
    plugins: [lateLoadsAreBundled, lateBuiltins, quietDebug, lateFiles, lateRequires, apart],
    // Bundled CommonJS packages call require for Node's own modules; ESM has none unless it is made here.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  requireInReach(metafile, outdir);
  return Object.keys(metafile.inputs);
}

/**
 * A late file is named from the root of the bundle, another world from the folder of its namer's source: whatever names them
 * has to end up there.
 */
function requireInReach({ outputs }: Metafile, outdir: string): void {
  const places = new Map([
    ['./late/', resolve(outdir)],
    ['./command-line.js', resolve(outdir, 'cli')],
  ]);
  for (const [path, { imports }] of Object.entries(outputs)) {
    for (const entry of imports.filter(({ external }) => external === true)) {
      const place = [...places].find(([start]) => entry.path.startsWith(start))?.[1];
      if (place !== undefined && dirname(resolve(path)) !== place) {
        throw new Error(`${path} asks for ${entry.path} beside it; have another file ask for it.`);
      }
    }
  }
}
