/** Bundles the CLI and the library with their dependencies, so that a start reads few files and the image needs no node_modules. */
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { docsFiles } from '../src/http/pages/docs.js';
import { licenceTexts } from './licences.js';
import { buildPage } from './page.js';

/** Our sources load some things at their first use, through `createRequire`. esbuild finds them if they say `require`. */
const lateLoads: Plugin = {
  name: 'late-loads',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: text.replaceAll('createRequire(import.meta.url)(', 'require('), loader: 'ts' };
    });
  },
};

/** Parts of packages that nothing of ours reaches, with what stands in their place. */
const unreached: readonly (readonly [file: RegExp, contents: string])[] = [
  // Error messages in fifty languages; ours are English.
  [/[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/, "export { default as en } from './en.js';"],
  // Of the agents' protocol: answers that a server asks of a person, and schemas in the former version of zod.
  [/[\\/]sdk[\\/]dist[\\/]esm[\\/]validation[\\/]ajv-provider\.js$/, 'export class AjvJsonSchemaValidator {}'],
  [/[\\/]zod[\\/]v3[\\/]index\.js$/, 'export {};'],
  [/[\\/]zod-to-json-schema[\\/]dist[\\/]esm[\\/]index\.js$/, 'export const zodToJsonSchema = undefined;'],
  // East Asian encodings for Express's body parsers, which we do not use; and uploads of forms, which no operation takes.
  [/[\\/]iconv-lite[\\/]encodings[\\/]dbcs-data\.js$/, 'module.exports = {};'],
  [/[\\/]multer[\\/]index\.js$/, 'module.exports = {};'],
];
const withoutUnreached: Plugin = {
  name: 'without-unreached',
  setup(bundler) {
    for (const [filter, contents] of unreached) bundler.onLoad({ filter }, () => ({ contents, loader: 'js' }));
  },
};

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: 'silent',
  plugins: [lateLoads, withoutUnreached],
} satisfies BuildOptions;

/** Two bundles, because what shares modules is cut into more files. The start of the CLI has all of its modules to itself. */
const bundles = [
  ['src/cli/main.ts'],
  [
    'src/cli/command-line.ts',
    'src/index.ts',
    ...['vitest', 'node-test', 'playwright'].map((name) => `src/client/${name}.ts`),
  ],
];

/** Writes a file for each entry and each `import()`, the chunks that they share, and the files that are served. */
export async function bundle(outdir: string): Promise<void> {
  const inputs = await Promise.all(bundles.map((entryPoints) => bundleSources(outdir, entryPoints)));
  const page = await buildPage(join(outdir, 'ui'));
  const served = Object.entries(docsFiles).map(([name, { source }]) => ({ name, source }));
  const sources = [...inputs.flat(), ...page, ...served.map(({ source }) => source)];
  await writeFile(join(outdir, 'THIRD-PARTY-LICENCES.txt'), await licenceTexts(sources));
  await cp('src/index.cjs', join(outdir, 'index.cjs'));
  await cp('llms.txt', join(outdir, 'llms.txt'));
  for (const { name, source } of served) {
    await cp(source.startsWith('node_modules') ? source : join('src', source), join(outdir, 'api-docs', name));
  }
}

/** Returns the source files that became part of it. */
async function bundleSources(outdir: string, entryPoints: string[]): Promise<string[]> {
  const { metafile } = await build({
    ...common,
    entryPoints,
    outdir,
    outbase: 'src',
    splitting: true,
    format: 'esm',
    sourcemap: true,
    metafile: true,
    // The hooks of the fixtures must be those of the runner that runs the user's tests; the other commands are the other bundle's.
    external: ['vitest', '@playwright/test', '*/command-line.js'],
    // Bundled CommonJS packages call require for Node's own modules; ESM has none unless it is made here.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  return Object.keys(metafile.inputs);
}

/** Writes the command line as one CommonJS script, which is what a single-file binary can hold. */
export async function bundleScript(outfile: string): Promise<void> {
  // Where the script lies matters only outside a binary.
  await build({
    ...common,
    entryPoints: ['src/cli/main.ts'],
    outfile,
    format: 'cjs',
    define: { 'import.meta.url': '""' },
  });
}
