/** The TypeScript compiler inside the test's own process: what it reads is parsed once for all configurations. */
import { join } from 'node:path';
import ts from 'typescript';

const parsed = new Map<string, ts.SourceFile | undefined>();

/** Returns what `tsc` prints for a project in `folder` whose configuration is `config`. */
export function typeErrors(folder: string, config: object): string {
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (path, how, ...rest) => {
    const { languageVersion, impliedNodeFormat } = typeof how === 'object' ? how : { languageVersion: how };
    // Files of the tests may have changed, those of packages have not.
    if (!path.includes('/node_modules/')) return read(path, how, ...rest);
    const key = [path, languageVersion, impliedNodeFormat].join(' ');
    const known = parsed.get(key) ?? read(path, how, ...rest);
    parsed.set(key, known);
    return known;
  };
  const program = ts.createProgram({ rootNames: fileNames, options, host });
  return ts.formatDiagnostics([...errors, ...ts.getPreEmitDiagnostics(program)], {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => folder,
    getNewLine: () => '\n',
  });
}

/** Does the same for a configuration in a file. */
export function typeErrorsOf(folder: string, name: string): string {
  return typeErrors(folder, ts.readConfigFile(join(folder, name), (path) => ts.sys.readFile(path)).config as object);
}
