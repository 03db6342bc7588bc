/** Report files of a command, whose format follows from their extension. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { printable } from '../domain/printable.js';
import { CliFailure } from './failure.js';

const FORMATS = { '.json': 'json', '.md': 'markdown', '.xml': 'junit' } as const;

export type ReportFormat = (typeof FORMATS)[keyof typeof FORMATS];

/** @throws CliFailure (2) for another ending */
export function reportFormat(flag: string, file: string): ReportFormat {
  const ending = extname(file).toLowerCase();
  if (ending === '.json' || ending === '.md' || ending === '.xml') return FORMATS[ending];
  throw new CliFailure(2, `${flag}: "${file}" has no ending that says a format. Allowed: .json, .md, .xml (JUnit).`);
}

/** Makes the folders on the way too. @throws CliFailure (1) */
export function writeReport(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, printable(text));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliFailure(1, `the report ${file} cannot be written: ${reason}.`, { cause: error });
  }
}
