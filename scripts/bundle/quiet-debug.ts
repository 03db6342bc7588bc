/**
 * Express and its parts ask the package `debug` for a log each, which looks at terminal and colours before it finds that
 * nobody asked for one. In the bundle it is loaded where `DEBUG` is set.
 */
import type { Plugin } from 'esbuild';

const quiet = `module.exports = process.env.DEBUG ? require('./late/debug.cjs') : () => () => {};`;

export const quietDebug: Plugin = {
  name: 'quiet-debug',
  setup(bundler) {
    bundler.onResolve({ filter: /^debug$/ }, ({ path }) => ({ path, namespace: 'quiet-debug' }));
    bundler.onResolve({ filter: /./, namespace: 'quiet-debug' }, ({ path }) => ({ path, external: true }));
    bundler.onLoad({ filter: /./, namespace: 'quiet-debug' }, () => ({ contents: quiet }));
  },
};
