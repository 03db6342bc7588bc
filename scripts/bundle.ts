import { build } from 'esbuild';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';

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
    // Bundled CommonJS packages call require for Node's own modules; ESM has none unless it is made here.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  await cp('openapi.yaml', join(outdir, 'openapi.yaml'));
}
