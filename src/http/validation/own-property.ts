/** Returns the own property of a value; undefined for an inherited property, and for a value that is not an object. */
export function own<T>(holder: Readonly<Record<string, T>> | undefined, name: string | number): T | undefined;
export function own(holder: unknown, name: string | number): unknown;
export function own(holder: unknown, name: string | number): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return undefined;
  return (holder as Record<string | number, unknown>)[name];
}
