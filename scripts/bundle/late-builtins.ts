/**
 * Modules of Node that few runs need: TLS where an address is https, a resolver where it is a name, sums where something lies on disk. To load
 * them takes some milliseconds of a start, so in the bundle each comes with its first use.
 */
import type { Plugin } from 'esbuild';
import { createRequire } from 'node:module';

const filter = /^node:(?:dns\/promises|https|tls|zlib)$/;
const load = createRequire(import.meta.url);

export const lateBuiltins: Plugin = {
  name: 'late-builtins',
  setup(bundler) {
    bundler.onResolve({ filter }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'late-builtin', sideEffects: false } : undefined,
    );
    // What an import statement names is run at once, so it gets getters.
    bundler.onLoad({ filter, namespace: 'late-builtin' }, ({ path }) => ({
      contents: Object.keys(load(path) as object)
        .map((name) => `'${name}', { enumerable: true, get: () => require(${JSON.stringify(path)}).${name} }`)
        .map((property) => `Object.defineProperty(exports, ${property});`)
        .join('\n'),
    }));
  },
};
