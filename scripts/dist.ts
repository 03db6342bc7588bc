/** Writes dist/: our sources as JavaScript with types, one file for each, and what the server serves. */
import { chmod, cp, mkdir, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
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
  const copied = generated.filter((name) => /\.js(?:on)?$/.test(name)).map((name) => `generated/${name}`);
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
 * Compiles as the package does. Types are not checked: `npm run check` does. Declarations are written for what users can
 * import and for what those name in turn; the others would take as long as everything else.
 * @throws Error with the compiler's message
 */
export function compile(outdir: string): Promise<void> {
  const read = ts.getParsedCommandLineOfConfigFile(
    'tsconfig.build.json',
    { outDir: outdir },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: refuse },
  );
  if (!read) throw new Error('tsc found no tsconfig.build.json');
  const options = { ...read.options, declaration: false };
  const host = ts.createCompilerHost(options);
  const parse = host.getSourceFile.bind(host);
  const parsed = new Map<string, ts.SourceFile | undefined>();
  host.getSourceFile = (name, ...rest) => {
    if (!parsed.has(name)) parsed.set(name, parse(name, ...rest));
    return parsed.get(name);
  };
  const scripts = ts.createProgram({ rootNames: read.fileNames, options, host });
  scripts.emit().diagnostics.forEach(refuse);
  const withTypes = ts.createProgram({ rootNames: read.fileNames, options: read.options, host, oldProgram: scripts });
  const sources = new Set(entries.map((name) => resolve('src', name)));
  for (const path of sources) {
    const write: ts.WriteFileCallback = (name, text) => {
      ts.sys.writeFile(name, text);
      for (const { fileName } of ts.preProcessFile(text).importedFiles) {
        if (fileName.startsWith('.')) sources.add(resolve(dirname(path), fileName.replace(/\.js$/, '.ts')));
      }
    };
    withTypes.emit(withTypes.getSourceFile(path), write, undefined, true).diagnostics.forEach(refuse);
  }
  return Promise.resolve();
}

/** The sources that users import by the name of the package. */
const entries = ['index.ts', 'client/node-test.ts', 'client/vitest.ts'];

function refuse({ messageText }: ts.Diagnostic): never {
  throw new Error(`tsc failed:\n${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
}
