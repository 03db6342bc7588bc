import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface SourceFile {
  /** From the project's root, with slashes. */
  readonly path: string;
  readonly text: string;
}

/**
 * Every TypeScript file under a folder that is, or is about to be, part of the project: what git tracks and what it
 * would offer to add. Generated files are neither.
 */
export function sourceFiles(folder: string): readonly SourceFile[] {
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', folder], {
    encoding: 'utf8',
  });
  const paths = [...new Set(list.split('\0'))].filter((path) => /\.tsx?$/.test(path));
  return paths.sort().flatMap((path) => {
    const text = textOf(path);
    return text === null ? [] : [{ path, text }];
  });
}

/** Null for a file that is deleted but still tracked. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
