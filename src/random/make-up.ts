/**
 * Made-up names and words for customers who were not given any (Faker, seeded; contract §4, inbound).
 * Faker is loaded at first need: it costs a third of the start otherwise.
 */
import { createRequire } from 'node:module';
import type { Faker } from '@faker-js/faker';
import { createStream, type Draws, type Stream } from './stream.js';

let loaded: Faker | undefined;

function english(): Faker {
  loaded ??= (createRequire(import.meta.url)('@faker-js/faker/locale/en') as { faker: Faker }).faker;
  return loaded;
}

export class MakeUp {
  readonly #names: Stream;
  readonly #words: Stream;

  constructor(seed: number | string, account: string, draws: Draws) {
    this.#names = createStream(seed, account, 'name', draws);
    this.#words = createStream(seed, account, 'word', draws);
  }

  profileName(): string {
    return this.#with(this.#names).person.fullName();
  }

  /** What a customer might write: one short sentence. */
  sentence(): string {
    return this.#with(this.#words).lorem.sentence({ min: 3, max: 8 });
  }

  /** A phone number from the ranges reserved for fiction that no magic number uses (its last four digits are 0173 to 0199). */
  phone(): string {
    const area = 201 + (this.#words.next() % 700);
    return `+1${area}55501${73 + (this.#words.next() % 27)}`;
  }

  // Faker is one object for the process; seeding it before every use keeps accounts from hearing each other.
  #with(stream: Stream): Faker {
    const faker = english();
    faker.seed(stream.next());
    return faker;
  }
}
