/** Writes the declarations of the package. */
import { dirname, resolve } from 'node:path';
import ts from 'typescript';

/**
 * Declarations are written for what users can import and for what those name in turn; the others would take as long as
 * everything else.
 */
export function declare(outdir: string): void {
  const read = ts.getParsedCommandLineOfConfigFile(
    'tsconfig.build.json',
    { outDir: outdir },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: refuse },
  );
  if (!read) throw new Error('tsc found no tsconfig.build.json');
  const sources = new Set(entries.map((name) => resolve('src', name)));
  const program = ts.createProgram({ rootNames: [...sources], options: read.options });
  for (const path of sources) {
    const write: ts.WriteFileCallback = (name, text) => {
      ts.sys.writeFile(name, text);
      for (const { fileName } of ts.preProcessFile(text).importedFiles) {
        if (fileName.startsWith('.')) sources.add(resolve(dirname(path), fileName.replace(/\.js$/, '.ts')));
      }
    };
    program.emit(program.getSourceFile(path), write, undefined, true).diagnostics.forEach(refuse);
  }
}

/** The sources that users import by the name of the package. */
const entries = ['index.ts', 'client/node-test.ts', 'client/vitest.ts'];

function refuse({ messageText }: ts.Diagnostic): never {
  throw new Error(`tsc failed:\n${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
}
