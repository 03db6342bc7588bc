import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Returns true if `dist` is newer than all sources. */
export function isBuilt(folder: string): boolean {
  const main = join(folder, 'dist/cli/main.js');
  if (!existsSync(main)) return false;
  const sources = ['src', 'scripts'].flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
      // The build itself writes the generated files.
      .filter((entry) => entry.isFile() && !/[\\/]generated$/.test(entry.parentPath))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const builtMs = statSync(main).mtimeMs;
  return [...sources, join(folder, 'openapi.yaml'), join(folder, 'package.json')].every(
    (file) => statSync(file).mtimeMs <= builtMs,
  );
}
