/** Arrow keys move the focus between tiles. */
import { nextSpot, type Spot } from './nearest.js';

/** For `onKeyDown` of the element that contains the tiles. */
export function moveByArrows(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const tiles = [...event.currentTarget.querySelectorAll<HTMLElement>('.tile')];
  const from = tiles.findIndex((tile) => tile === event.target);
  const to = nextSpot(tiles.map(spotOf), from, event.key);
  if (to === -1) return;
  event.preventDefault();
  tiles[to]?.focus();
}

function spotOf(element: HTMLElement): Spot {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
