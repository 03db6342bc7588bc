/** Writes dist/: our sources as JavaScript with types, and what the server serves. */
import { readFileSync } from 'node:fs';
import { chmod, cp, mkdir, readdir } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { rolldown, type CodeSplittingNameFunction, type Plugin } from 'rolldown';
import { docsFiles } from '../src/http/pages/docs.js';
import { buildPage } from './page.js';

type Write = (outdir: string) => Promise<unknown>;

/**
 * @param compile writes the JavaScript of `src` into a folder
 * @param page writes the web page into a folder
 * @throws Error with the compiler's message
 */
export async function writeDist(outdir: string, compile: Write, page: Write = buildPage): Promise<void> {
  const generated = await readdir('src/generated');
  const copied = generated.filter((name) => name.endsWith('.json')).map((name) => `generated/${name}`);
  await Promise.all([compile(outdir), page(join(outdir, 'ui'))]);
  // npm makes the command executable when it links it; a later build must leave it so.
  await chmod(join(outdir, 'cli/main.js'), 0o755);
  // The entry points for `require`, with their types.
  const required = (await readdir('src', { recursive: true })).filter((name) => /\.c(?:js|ts)$/.test(name));
  for (const name of [...copied, ...required]) await cp(join('src', name), join(outdir, name));
  await mkdir(join(outdir, 'api-docs'), { recursive: true });
  for (const [name, source] of Object.entries(docsFiles)) {
    await cp(source.startsWith('node_modules') ? source : join('src', source), join(outdir, 'api-docs', name));
  }
  // Apache 2.0, section 4: both accompany every copy.
  for (const name of ['LICENSE', 'NOTICE']) {
    await cp(join('node_modules/swagger-ui-dist', name), join(outdir, 'api-docs', `swagger-ui-${name}`));
  }
}

/**
 * Compiles as the package does. Types are not checked: `npm run check` does.
 * @throws Error with the compiler's message
 */
export async function compile(outdir: string): Promise<void> {
  await bundle(outdir);
  // Loads the compiler, which a bundle does not need.
  const { declare } = await import('./declarations.js');
  declare(outdir);
}

/**
 * Sources that are loaded together share a file, because each file makes a start longer. Sources that only some commands need,
 * or that are loaded at their first use, are split where they are imported.
 */
async function partOf(): Promise<CodeSplittingNameFunction> {
  const commands = (await readdir('src/cli/commands')).filter((name) => name !== 'start.ts');
  const roots = {
    client: ['index.ts'],
    start: ['cli/program.ts', 'cli/commands/start.ts'],
    server: ['config/index.ts', 'sandbox.ts'],
    control: ['http/control/router.ts'],
    commands: ['reader/load.ts', ...commands.map((name) => `cli/commands/${name}`)],
  };
  const reached = new Map<string, Set<string>>();
  return (id, graph) => {
    const needs = (part: keyof typeof roots): boolean => {
      const known = reached.get(part);
      if (known) return known.has(id);
      const all = new Set(roots[part].map((name) => resolve('src', name)));
      for (const path of all) graph.getModuleInfo(path)?.importedIds.forEach((to) => all.add(to));
      reached.set(part, all);
      return all.has(id);
    };
    // The entry exports only the public names of the package, so the sources that others need are in other files.
    if (id === resolve('src/index.ts')) return null;
    if (needs('client')) return 'client';
    // A sandbox in a test process loads nothing of the command line, and no command loads a server that it does not start.
    if (needs('server') && needs('start')) return 'common';
    if (needs('server') && needs('commands')) return 'shared';
    if (needs('server')) return 'server';
    if (needs('start')) return 'start';
    return needs('control') && !needs('commands') ? 'control' : null;
  };
}

/** @param external what is imported instead: all packages, so that `npm audit` and a bill of materials see them */
export async function bundle(outdir: string, external = /^[^./]/, plugins: Plugin[] = []): Promise<void> {
  const build = await rolldown({
    input: Object.fromEntries(
      ['cli/main', 'index', 'client/node-test', 'client/vitest'].map((name) => [name, `src/${name}.ts`]),
    ),
    plugins: [packages(external), ...plugins],
    platform: 'node',
    transform: { target: 'es2022' },
    preserveEntrySignatures: 'allow-extension',
  });
  await build.write({
    dir: outdir,
    entryFileNames: '[name].js',
    // Not in folders: what is read relative to a source (`generated/`, `../package.json`) is relative to the root of `src`.
    chunkFileNames: '[name].js',
    codeSplitting: { groups: [{ name: await partOf(), debugName: 'part' }], includeDependenciesRecursively: false },
    minifyInternalExports: false,
    // For `node --enable-source-maps`.
    sourcemap: true,
    sourcemapExcludeSources: true,
    // As if `src` were next to it, wherever it is built.
    sourcemapPathTransform: (source, map) => {
      const folder = dirname(map);
      return relative(folder, join(outdir, '..', relative('.', resolve(folder, source)))).replaceAll('\\', '/');
    },
  });
}

/**
 * Packages stay outside. A CommonJS package is required: Node 20 searches the text of an imported one for the names of its
 * exports. With that, a first sandbox takes half as much processor time again.
 */
function packages(external: RegExp): Plugin {
  const prefix = '\0require:';
  return {
    name: 'packages',
    resolveId: (id, importer) => {
      if (importer === undefined || isBuiltin(id) || !external.test(id)) return null;
      return isCommonJs(id) && !importer.startsWith(prefix) ? prefix + id : { id, external: true };
    },
    load: (id) => (id.startsWith(prefix) ? `module.exports = require('${id.slice(prefix.length)}');` : null),
  };
}

function isCommonJs(specifier: string): boolean {
  const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
  const { type } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as { readonly type?: string };
  return type !== 'module';
}
