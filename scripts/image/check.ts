/** One thing that must hold of the image. */
export interface Check {
  readonly that: string;
  /** @returns what was found, for the report. @throws Error with what was found instead */
  readonly run: (image: string) => Promise<string>;
}

/** @throws Error when what was found is not what was wanted */
export function same(what: string, found: unknown, wanted: unknown): void {
  const [is, should] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (is !== should) throw new Error(`${what} is ${is}, wanted ${should}`);
}

export function holds(condition: boolean, message: string): void {
  if (!condition) throw new Error(message);
}
