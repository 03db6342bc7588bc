import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The search goes up from the sources, or from the built files. */
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
