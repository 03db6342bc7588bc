/**
 * Builds the web page (src/ui/page) into a folder: an index, one script and one style sheet, with names that depend on
 * their content.
 */
import { resolve } from 'node:path';
import { build } from 'vite';

/** The path of the page, which its files use in links. */
const base = '/_sandbox/ui/';

/**
 * @param outDir is emptied first
 * @returns the bundled source files, for their licences
 * @throws Error with the bundler's message
 */
export async function buildPage(outDir: string): Promise<readonly string[]> {
  const inputs = new Set<string>();
  await build({
    configFile: false,
    root: 'src/ui/page',
    base,
    logLevel: 'error',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: resolve(outDir),
      emptyOutDir: true,
      // The page's policy forbids data URLs for scripts and fonts, and one request less makes no difference here.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
    plugins: [
      {
        name: 'which-files',
        moduleParsed: ({ id }) => {
          const [file = ''] = id.split('?', 1);
          inputs.add(file.replace(`${process.cwd()}/`, ''));
        },
      },
    ],
  });
  return [...inputs];
}
