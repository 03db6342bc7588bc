/** How much is tried, and from which seed. Both are printed with every failure, so that it can be played again. */
function whole(name: string, standard: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return standard;
  if (!/^\d+$/.test(text)) throw new Error(`${name} is "${text}"; allowed is a whole number`);
  return Number(text);
}

/** `FUZZ_SEED=7 npx vitest run test/fuzz` tries other values. */
export const fuzzSeed = whole('FUZZ_SEED', 20_261_121);
/** `FUZZ_CASES=500000` tries more of them. */
export const fuzzCases = whole('FUZZ_CASES', 20_000);
