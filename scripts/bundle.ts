import { build, type Plugin } from 'esbuild';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The validator compiles the meta-schema of OpenAPI for each document it is given, even when told not to check it: a
 * fifth of a second at every start. Our documents do not change after the build, and the tests check them.
 */
const documentsAreChecked: Plugin = {
  name: 'documents-are-checked',
  setup({ onLoad }) {
    onLoad({ filter: /express-openapi-validator.*openapi\.schema\.validator\.js$/ }, () => ({
      contents: 'exports.OpenAPISchemaValidator = class { validate() { return { errors: [] }; } };',
      loader: 'js',
    }));
  },
};

/** Bundles the CLI and the library into `outdir`: one file per entry plus shared chunks, for a fast start. */
export async function bundle(outdir: string, entryPoints = ['src/cli/main.ts', 'src/index.ts']): Promise<void> {
  await build({
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
    logLevel: 'silent',
    plugins: [documentsAreChecked],
    // Bundled CommonJS packages call require for Node's own modules; ESM has none unless it is made here.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  await cp('openapi.yaml', join(outdir, 'openapi.yaml'));
}
