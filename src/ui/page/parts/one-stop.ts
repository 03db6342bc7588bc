/**
 * Makes a list one tab stop: Tab goes to one row, and the arrow keys (or `j` and `k`) move between rows. Tab within a
 * row goes through its buttons, and then leaves the list.
 */

/** The link of a row; lists without such links keep their own tab stops. */
const rowLink = '.row-link, .conversation-entry';
const reachable = 'a[href], button, input, select, textarea, [tabindex]';

/** Removes all rows but one from the tab order. The focused row stays, otherwise the open one, otherwise the first. */
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

/**
 * Moves the focus to the next row of a list; if no row has it, to the open or the first row.
 * @returns whether there is a row
 */
export function moveInList(list: ParentNode, by: 1 | -1): boolean {
  const links = [...list.querySelectorAll<HTMLElement>(rowLink)];
  const row = document.activeElement?.closest('.virtual-row') ?? null;
  const focused = row === null ? -1 : links.findIndex((link) => row.contains(link));
  const from = focused >= 0 ? focused : links.findIndex((link) => link.getAttribute('aria-current') === 'true');
  const to = links[from < 0 ? 0 : from + by];
  to?.focus();
  return links.length > 0;
}
