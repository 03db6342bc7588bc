/** Keys for tests: readable, the same in every run, and never two alike within one file. */

const longest = 120;

/** Gives out a key per test, by its name; a second test of that name, or a second try, gets a number behind it. */
export class TestKeys {
  readonly #given = new Set<string>();

  /** @param path the file, then the groups, then the test */
  next(path: readonly string[]): string {
    const words = path
      .map((part) => part.replace(/[^A-Za-z0-9.]+/g, '-').replace(/^-+|-+$/g, ''))
      .filter((part) => part !== '')
      .join('_')
      // The end tells tests apart better than the folder does.
      .slice(-longest);
    const base = words === '' ? 'test' : words;
    let key = base;
    for (let n = 2; this.#given.has(key); n += 1) key = `${base}.${n}`;
    this.#given.add(key);
    return key;
  }
}
