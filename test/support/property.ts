/**
 * The number of cases of the property tests, and their seed. `npm test` tries a sixteenth of each; `FUZZ=full npm test`
 * tries all. The fuzz tests print the seed and their cases with every failure, so that it can be repeated.
 */
function whole(name: string, standard: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return standard;
  if (!/^\d+$/.test(text)) throw new Error(`Invalid value "${text}" for ${name}. Expected a whole number.`);
  return Number(text);
}

const extent = process.env['FUZZ'] ?? '';
if (!['', 'full'].includes(extent)) throw new Error(`Invalid value "${extent}" for FUZZ. Expected full, or nothing.`);

export const isFull = extent === 'full';

/** Returns `all` with `FUZZ=full`, a sixteenth of it otherwise. */
export const cases = (all: number): number => (isFull ? all : Math.ceil(all / 16));

/** `FUZZ_SEED=7 npx vitest run test/fuzz` tries other values. */
export const fuzzSeed = whole('FUZZ_SEED', 20_261_121);
