/** Bundles the CLI and the library with their dependencies, so that a start reads few files and the image needs no node_modules. */
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { docsFiles } from '../src/http/pages/docs.js';
import { licenceTexts } from './licences.js';
import { buildPage } from './page.js';

/** What our sources load at its first use, through `createRequire`: the file of each in the bundle, and where it is found. */
type LateLoads = Map<string, string>;

/**
 * Makes each of these a file of its own beside the chunks, which the bundles share and a start does not read.
 * @param files null: they become part of the script
 */
const lateLoads = (files: LateLoads | null): Plugin => ({
  name: 'late-loads',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text.replaceAll(/createRequire\(import\.meta\.url\)\(\s*'([^']+)'/g, (_call, wanted: string) => {
        if (!files) return `require('${wanted}'`;
        const isData = wanted.endsWith('.json');
        const name = isData ? basename(wanted) : `${wanted.replaceAll(/\W+/g, '-').replace(/^-/, '')}.cjs`;
        files.set(name, isData ? join(dirname(path), wanted) : wanted);
        return `require('late:${name}'`;
      });
      return { contents, loader: 'ts' };
    });
    bundler.onResolve({ filter: /^late:/ }, ({ path }) => ({ path: path.replace('late:', './'), external: true }));
  },
});

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

/**
 * An entry of both bundles: these packages, and the helpers of the bundler that a namespace needs, are then the same chunks
 * in both, which have the same names, because these are made from the content.
 */
const shared = "export * as yaml from 'yaml'; export * as zod from 'zod';";

/** Writes a file for each entry and each `import()`, the chunks that they share, and the files that are served. */
export async function bundle(outdir: string): Promise<void> {
  const late: LateLoads = new Map();
  const inputs = await Promise.all(bundles.map((entryPoints) => bundleSources(outdir, entryPoints, late)));
  inputs.push(await bundleLate(outdir, late));
  await Promise.all(['stdin.js', 'stdin.js.map'].map((name) => rm(join(outdir, name))));
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
async function bundleSources(outdir: string, entryPoints: string[], late: LateLoads): Promise<string[]> {
  const { metafile } = await build({
    ...common,
    plugins: [lateLoads(late), withoutUnreached],
    entryPoints,
    stdin: { contents: shared, resolveDir: '.' },
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

async function bundleLate(outdir: string, late: LateLoads): Promise<string[]> {
  const inputs = [...late].map(async ([name, wanted]) => {
    const outfile = join(outdir, name);
    if (name.endsWith('.json')) return cp(wanted, outfile).then(() => []);
    const { metafile } = await build({ ...common, entryPoints: [wanted], outfile, format: 'cjs', metafile: true });
    return Object.keys(metafile.inputs);
  });
  return (await Promise.all(inputs)).flat();
}

/** Writes the command line as one CommonJS script, which is what a single-file binary can hold. */
export async function bundleScript(outfile: string): Promise<void> {
  // The folder of the script only matters outside of a binary.
  await build({
    ...common,
    plugins: [lateLoads(null), withoutUnreached],
    entryPoints: ['src/cli/main.ts'],
    outfile,
    format: 'cjs',
    define: { 'import.meta.url': '""' },
  });
}
