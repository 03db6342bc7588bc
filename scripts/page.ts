/**
 * Builds the web page (src/ui/page) into a folder: an index, one script and one style sheet, with names that depend on
 * their content, and the licences of the packages in it.
 */
import { resolve } from 'node:path';
import { build, type Plugin } from 'vite';

/** The path of the page, which its files use in links. */
const base = '/_sandbox/ui/';

/** Lets the browser fetch the code of all places while it has nothing else to do: a first visit waits for data alone. */
const fetchAhead: Plugin = {
  name: 'fetch-ahead',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => /\.(?:js|css)$/.test(name) && !html.includes(name))
        .map((name) => ({ tag: 'link', attrs: { rel: 'prefetch', href: base + name }, injectTo: 'head' })),
  },
};

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
    plugins: [fetchAhead],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
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
}
