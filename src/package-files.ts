/** Files that come with this package: beside the sources, beside the built files, or inside the single-file binary. */
import { readdirSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { getAsset, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';

/** Names of the files inside the binary, with slashes; null when this is not the binary. */
const embedded = isSea() ? new Set(JSON.parse(getAsset('files', 'utf8')) as string[]) : null;

/** Embedded files have paths as if a folder with an exclamation mark were beside the binary, as in a Java archive. */
const root = `${process.execPath}!${sep}`;
const nameOf = (path: string): string => path.slice(root.length).replaceAll(sep, '/');

/** The nearest file of that relative path in a folder above this one; null when there is none. */
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

/** The content of a file inside the binary; null for every other path. */
export function embeddedFile(path: string): Buffer | null {
  const name = nameOf(path);
  return embedded !== null && path.startsWith(root) && embedded.has(name) ? Buffer.from(getAsset(name)) : null;
}

/** Names of the files in a folder, also in one inside the binary. */
export function namesIn(folder: string): string[] {
  if (embedded === null || !folder.startsWith(root)) return readdirSync(folder);
  const above = `${nameOf(folder)}/`;
  return [...embedded].filter((name) => name.startsWith(above)).map((name) => name.slice(above.length));
}
