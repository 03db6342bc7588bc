import { InvalidArgumentError } from 'commander';

/** Reads a whole number from `least` on, for an option of a script; what is wrong with another is said by commander. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (Number.isSafeInteger(number) && number >= least) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${least} on.`);
  };
}
