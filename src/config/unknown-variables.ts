import { nearestWord } from '../domain/nearest-word.js';
import { configOptionList } from './options.js';
import type { Environment } from './resolve.js';

/** Variables that are no settings of the server: the client commands read them. */
const CLIENT_VARIABLES = ['SANDBOX_URL', 'SANDBOX_KEY'] as const;

/** One sentence for each `SANDBOX_…` variable that nothing reads, with the one that was probably meant. */
export function unknownVariables(env: Environment): readonly string[] {
  const known = [...configOptionList.flatMap((option) => option.env), ...CLIENT_VARIABLES];
  return Object.keys(env)
    .filter((name) => name.startsWith('SANDBOX_') && !known.includes(name))
    .sort()
    .map((name) => {
      const meant = nearestWord(name, known);
      return `The variable ${name} is not known and has no effect.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
    });
}
