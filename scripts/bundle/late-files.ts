/**
 * What a start does not need, each in a file of its own beside the bundle, read and run at its first use. Left in the
 * bundle it would be read by every start: it is three quarters of all there is.
 */
import { build, type Plugin } from 'esbuild';
import { cp, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { documentsAreChecked } from './checked-documents.js';

/** Packages, by the name they are imported under. None holds state that another copy of it would have to share. */
const packages = [
  '@faker-js/faker/locale/en',
  'accepts',
  'body-parser',
  'content-disposition',
  'cookie',
  'cookie-signature',
  'debug',
  'express-openapi-validator',
  'mime-types',
  'qs',
  'range-parser',
  're2js',
  'send',
  'serve-static',
  'type-is',
  'yaml',
];
const documents = ['src/generated/api.json', 'src/generated/control.json'];

const folder = 'late';
const filter = new RegExp(`^(?:${packages.join('|')})$`);
const documentFilter = /[\\/]generated[\\/]\w+\.json$/;
const fileOf = (name: string) => `${name.replace(/\W+/g, '-').replace(/^-/, '')}.cjs`;
const load = createRequire(import.meta.url);

/** In the bundle, whoever asks for such a thing asks for its file. */
export const lateFiles: Plugin = {
  name: 'late-files',
  setup(bundler) {
    bundler.onResolve({ filter }, ({ path, kind, namespace }) => {
      if (namespace === 'late-value') return { path: `./${folder}/${fileOf(path)}`, external: true };
      return { path, namespace: kind === 'require-call' ? 'late-value' : 'late-names', sideEffects: false };
    });
    // One module asks Node for the file, so that it is asked once.
    bundler.onLoad({ filter, namespace: 'late-value' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
    // What an import statement names is run at once, so it gets getters.
    bundler.onLoad({ filter, namespace: 'late-names' }, ({ path }) => ({
      contents: Object.keys(load(path) as object)
        .map((name) => `'${name}', { enumerable: true, get: () => require(${JSON.stringify(path)}).${name} }`)
        .map((property) => `Object.defineProperty(exports, ${property});`)
        .join('\n'),
    }));
    bundler.onResolve({ filter: documentFilter }, ({ path }) => ({
      path: `./${folder}/${basename(path)}`,
      external: true,
    }));
  },
};

/** Such packages know each other by their files too. */
const besideEachOther: Plugin = {
  name: 'beside-each-other',
  setup(bundler) {
    bundler.onResolve({ filter }, ({ path, kind }) =>
      kind === 'entry-point' ? undefined : { path: `./${fileOf(path)}`, external: true },
    );
  },
};

/**
 * Writes those files.
 * @returns the sources that went into them
 */
export async function writeLateFiles(outdir: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: packages.map((name) => ({ in: name, out: fileOf(name).replace(/\.cjs$/, '') })),
    outdir: join(outdir, folder),
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minifySyntax: true,
    minifyWhitespace: true,
    metafile: true,
    logLevel: 'silent',
    plugins: [documentsAreChecked, besideEachOther],
  });
  await mkdir(join(outdir, folder), { recursive: true });
  for (const document of documents) await cp(document, join(outdir, folder, basename(document)));
  return Object.keys(metafile.inputs);
}
