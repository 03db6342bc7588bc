/** Finds the files of this package: next to the sources, next to the built files, or inside the single-file binary. */
import { readdirSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { getAsset, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';

/** Names of the files inside the binary, with slashes; null outside of the binary. */
const embedded = isSea() ? new Set(JSON.parse(getAsset('files', 'utf8')) as string[]) : null;

/**
 * Paths of embedded files start with a folder next to the binary whose name has an exclamation mark, as in a Java
 * archive.
 */
const root = `${process.execPath}!${sep}`;
const nameOf = (path: string): string => path.slice(root.length).replaceAll(sep, '/');

/** Returns the nearest file with that relative path in a folder above this one; null if there is none. */
export function fileAbove(relative: string): string | null {
  if (embedded !== null) return embedded.has(relative.replaceAll(sep, '/')) ? root + relative : null;
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const path = join(folder, relative);
    if (statSync(path, { throwIfNoEntry: false })) return path;
    const above = dirname(folder);
    if (above === folder) return null;
    folder = above;
  }
}

/** Returns the content of a file inside the binary; null for every other path. */
export function embeddedFile(path: string): Buffer | null {
  const name = nameOf(path);
  return embedded !== null && path.startsWith(root) && embedded.has(name) ? Buffer.from(getAsset(name)) : null;
}

/** Returns the names of the files in a folder, which may be inside the binary. */
export function namesIn(folder: string): string[] {
  if (embedded === null || !folder.startsWith(root)) return readdirSync(folder);
  const above = `${nameOf(folder)}/`;
  return [...embedded].filter((name) => name.startsWith(above)).map((name) => name.slice(above.length));
}
