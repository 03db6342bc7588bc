/** Files that come with this package: beside the sources, or beside the built files. */
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The nearest file of that relative path in a folder above this one; null when there is none. */
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
