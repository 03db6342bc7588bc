/**
 * A list is one tab stop: Tab goes to one row, the arrows (and `j` and `k`) move between rows, and Tab within a row goes
 * through its buttons and then past the list.
 */

/** The link of a row; a list without such links keeps its own tab stops. */
const rowLink = '.row-link, .conversation-entry';
const reachable = 'a[href], button, input, select, textarea, [tabindex]';

/** Removes all rows but one from the tab order: the focused one stays, otherwise the open one, otherwise the first. */
export function makeOneStop(list: HTMLElement): void {
  const rows = [...list.querySelectorAll<HTMLElement>('.virtual-row')];
  if (!rows.some((row) => row.querySelector(rowLink))) return;
  const entry =
    rows.find((row) => row.contains(document.activeElement)) ??
    rows.find((row) => row.querySelector('[aria-current="true"]')) ??
    rows.find((row) => row.querySelector(rowLink));
  list.tabIndex = -1;
  for (const row of rows) {
    for (const each of row.querySelectorAll<HTMLElement>(reachable)) each.tabIndex = row === entry ? 0 : -1;
  }
}

/** Moves the focus to the next row of a list; without a focused row, to the open or the first one. @returns whether there is a row */
export function moveInList(list: ParentNode, by: 1 | -1): boolean {
  const links = [...list.querySelectorAll<HTMLElement>(rowLink)];
  const row = document.activeElement?.closest('.virtual-row') ?? null;
  const focused = row === null ? -1 : links.findIndex((link) => row.contains(link));
  const from = focused >= 0 ? focused : links.findIndex((link) => link.getAttribute('aria-current') === 'true');
  const to = links[from < 0 ? 0 : from + by];
  to?.focus();
  return links.length > 0;
}
