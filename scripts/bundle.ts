import { docsFiles } from '../src/http/docs-page.js';
import { build, type Plugin } from 'esbuild';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { licenceTexts } from './licences.js';
import { buildPage } from './page.js';

/**
 * The validator compiles the meta-schema of OpenAPI for each document it is given, even when told not to check it: a
 * fifth of a second at every start. Our documents do not change after the build, and the tests check them.
 */
const documentsAreChecked: Plugin = {
  name: 'documents-are-checked',
  setup(plugins) {
    plugins.onLoad({ filter: /express-openapi-validator.*openapi\.schema\.validator\.js$/ }, () => ({
      contents: 'exports.OpenAPISchemaValidator = class { validate() { return { errors: [] }; } };',
      loader: 'js',
    }));
  },
};

/**
 * A source that loads a package late, through createRequire, would look for it in node_modules at run time, and the
 * image has none. As a plain `require` it is bundled, and still run at first need only.
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

const everyEntry = ['src/cli/main.ts', 'src/index.ts', 'src/testing/vitest.ts'];

/** Bundles the CLI and the library into `outdir`: one file per entry plus shared chunks, for a fast start. */
export async function bundle(outdir: string, entryPoints = everyEntry): Promise<void> {
  const { metafile } = await build({
    entryPoints,
    outdir,
    outbase: 'src',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: true,
    minifySyntax: true,
    metafile: true,
    logLevel: 'silent',
    // The hooks of the helper must be those of the vitest that runs the user's tests.
    external: ['vitest'],
    plugins: [documentsAreChecked, lateLoadsAreBundled],
    // Bundled CommonJS packages call require for Node's own modules; ESM has none unless it is made here.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  const page = await buildPage(join(outdir, 'ui'));
  await writeFile(
    join(outdir, 'THIRD-PARTY-LICENCES.txt'),
    await licenceTexts([
      ...Object.keys(metafile.inputs),
      ...page,
      ...Object.values(docsFiles).map((file) => file.source),
    ]),
  );
  await cp('openapi.yaml', join(outdir, 'openapi.yaml'));
  for (const [name, { source }] of Object.entries(docsFiles)) {
    await cp(source.startsWith('node_modules') ? source : join('src', source), join(outdir, 'api-docs', name));
  }
}
