/** Where the scenarios of this package lie: the folder `scenarios` beside the sources, or beside the built files. */
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The schema lies in the folder too; it tells it from any other folder of that name. */
const mark = join('scenarios', 'scenario.schema.json');

export function shippedScenarios(): string | null {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    if (statSync(join(folder, mark), { throwIfNoEntry: false })) return join(folder, 'scenarios');
    const above = dirname(folder);
    if (above === folder) return null;
    folder = above;
  }
}

/** The folder that an image mounts (contract §5). */
export const mountedScenarios = '/scenarios';
