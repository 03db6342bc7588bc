/** Finds the nearest tile in the direction of an arrow key. */
const directions: Readonly<Record<string, readonly [number, number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** @returns the index of the tile to focus; -1 if there is none in that direction, or for any other key */
export function nextSpot(spots: readonly Spot[], from: number, key: string): number {
  const [dx, dy] = directions[key] ?? [0, 0];
  const here = spots[from];
  if (!here || (dx === 0 && dy === 0)) return -1;
  let best = -1;
  let least = Infinity;
  spots.forEach(({ x, y }, index) => {
    const ahead = (x - here.x) * dx + (y - here.y) * dy;
    const aside = Math.abs((x - here.x) * dy) + Math.abs((y - here.y) * dx);
    // Tiles in the same row or column take precedence over nearer ones.
    const cost = ahead + aside * 3;
    if (index !== from && ahead > 1 && cost < least) {
      least = cost;
      best = index;
    }
  });
  return best;
}
