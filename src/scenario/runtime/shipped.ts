/** Where the scenarios of this package lie. */
import { dirname, join } from 'node:path';
import { fileAbove } from '../../package-files.js';

export function shippedScenarios(): string | null {
  // The schema lies in the folder too; it tells it from any other folder of that name.
  const schema = fileAbove(join('scenarios', 'scenario.schema.json'));
  return schema === null ? null : dirname(schema);
}

/** The folder that an image mounts (contract §5). */
export const mountedScenarios = '/scenarios';
