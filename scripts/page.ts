/** Builds the web page (src/ui/page) into a folder: an index, one script and one style sheet, named by their content. */
import { resolve } from 'node:path';
import { build } from 'vite';

/** Where the page is served; its files name each other from there. */
const base = '/_sandbox/ui/';

/**
 * @param outDir is emptied first
 * @returns the source files that went into it, for the licences of what is among them
 * @throws Error with what the bundler said
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
      // The policy of the page allows no data: scripts and fonts; and one file less to fetch gains nothing here.
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
