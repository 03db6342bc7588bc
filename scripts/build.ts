/**
 * Builds dist/: the server and CLI as one bundle per entry (fast start, few files to read), types beside them.
 */
import { build } from 'esbuild';
import { cp, rm } from 'node:fs/promises';

await rm('dist', { recursive: true, force: true });
await build({
  entryPoints: ['src/cli/main.ts', 'src/index.ts'],
  outdir: 'dist',
  outbase: 'src',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  sourcemap: true,
  minifySyntax: true,
  logLevel: 'warning',
  // Bundled CommonJS packages call require for Node's own modules; ESM has none unless it is made here.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});
await cp('openapi.yaml', 'dist/openapi.yaml');
