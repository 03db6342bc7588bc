/** Finds the files of this package: next to the sources, or next to the built files. */
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the nearest file with that relative path in a folder above this one; null if there is none. */
export function fileAbove(relative: string): string | null {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const path = join(folder, relative);
    if (statSync(path, { throwIfNoEntry: false })) return path;
    const above = dirname(folder);
    if (above === folder) return null;
    folder = above;
  }
}
