/** Faker is loaded on first use, because it would otherwise take a third of the time of a start. */
import { runInThisContext } from 'node:vm';
import type { Faker } from '@faker-js/faker';
import { below, createStream, type Draws, type Stream } from './ids.js';

/** These numbers are in ranges of real places, because an application that validates numbers must accept them. */
const areaCodes = [
  202, 206, 212, 213, 214, 215, 303, 305, 312, 313, 314, 317, 402, 404, 405, 412, 414, 415, 502, 503, 504, 505, 512,
  513, 602, 612, 615, 617, 619, 702, 704, 713, 716, 801, 804, 808, 813, 816, 901, 907,
] as const;

let loaded: Faker | undefined;

/**
 * Node's own `require`, which loads ES modules and returns at once, as a write needs it. That of jest is another one,
 * and rejects them; so is its `process`. Undefined in Node 22.0 to 22.11, which cannot require an ES module.
 */
const nodesRequire = ((): NodeJS.Require | undefined => {
  const own = runInThisContext('process') as typeof process;
  const can = (own.features as { readonly require_module?: boolean }).require_module === true;
  return can ? own.getBuiltinModule('node:module').createRequire(import.meta.url) : undefined;
})();

/** Some versions of Node cannot load Faker on first use. Call it at the start of a process. */
export async function prepareFakeData(): Promise<void> {
  if (!nodesRequire) loaded ??= (await import('@faker-js/faker/locale/en')).faker;
}

function english(): Faker {
  loaded ??= (nodesRequire?.('@faker-js/faker/locale/en') as { faker: Faker } | undefined)?.faker;
  if (!loaded) throw new Error('Faker is not loaded: call prepareFakeData() at the start.');
  return loaded;
}

export class FakeData {
  readonly #names: Stream;
  readonly #words: Stream;

  constructor(seed: number | string, account: string, draws: Draws) {
    this.#names = createStream(seed, account, 'name', draws);
    this.#words = createStream(seed, account, 'word', draws);
  }

  profileName(): string {
    return this.#with(this.#names).person.fullName();
  }

  sentence(): string {
    return this.#with(this.#words).lorem.sentence({ min: 3, max: 8 });
  }

  /** Reserved for fiction, and not a magic number (the last four digits are 0181 to 0199). */
  phone(): string {
    const area = areaCodes[below(this.#words, areaCodes.length)] ?? areaCodes[0];
    return `+1${area}55501${81 + below(this.#words, 19)}`;
  }

  // Faker is a single object in the process. It is seeded before every use, so that accounts do not affect each other.
  #with(stream: Stream): Faker {
    const faker = english();
    faker.seed(stream.next());
    return faker;
  }
}
