/**
 * Builds the web page (src/ui/page) into a folder: an index, one script and one style sheet, with names that depend on
 * their content, both also compressed, and the licences of the packages in it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';

/** The path of the page, which its files use in links. */
const base = '/_sandbox/ui/';

/**
 * @param outDir is emptied first
 * @throws Error with the bundler's message
 */
export async function buildPage(outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: 'src/ui/page',
    base,
    logLevel: 'error',
    publicDir: false,
    // Tests build it too, and measure what users get.
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    build: {
      outDir: resolve(outDir),
      emptyOutDir: true,
      license: { fileName: 'licences.md' },
      // The page's policy forbids data URLs for scripts and fonts, and one request less makes no difference here.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  });
  const assets = resolve(outDir, 'assets');
  for (const name of readdirSync(assets)) {
    const path = join(assets, name);
    writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
  }
}
