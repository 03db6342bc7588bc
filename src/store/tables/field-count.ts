/** How many fields an object has of its own. */
export function fieldCount(value: object): number {
  let count = 0;
  for (const _field in value) count += 1;
  return count;
}
