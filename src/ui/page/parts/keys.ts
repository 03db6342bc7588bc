/**
 * `j` and `k` move in the list of the place from anywhere in the page: from one open item to the next, or the focus from
 * row to row.
 */
export function movesInList(event: KeyboardEvent): void {
  const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  const by = { j: 1, k: -1 }[key];
  if (by === undefined || ctrlKey || metaKey || altKey || defaultPrevented) return;
  if (!(target instanceof HTMLElement) || target.matches('input, textarea, select')) return;
  if (target.closest('[popover], .list-side') || document.querySelector('dialog[open]')) return;
  const rows = [...document.querySelectorAll<HTMLElement>('.list-side .target')];
  const at = rows.findIndex((row) => row.getAttribute('aria-current') === 'true');
  const next = at === -1 ? rows[0] : rows[at + by];
  event.preventDefault();
  next?.scrollIntoView({ block: 'nearest' });
  if (at === -1) next?.focus();
  else next?.click();
}

/** Returns a listener: arrow keys, `j` and `k` move the focus between the elements that match. */
export function movesBetween(selector: string) {
  return (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
    const { key, target, currentTarget, ctrlKey, metaKey, altKey } = event;
    const typing = target instanceof HTMLInputElement;
    const by = { ArrowDown: 1, ArrowUp: -1, ...(!typing && { j: 1, k: -1 }) }[key];
    if (by === undefined || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    const all = [...currentTarget.querySelectorAll<HTMLElement>(selector)];
    all[all.indexOf(document.activeElement as HTMLElement) + by]?.focus();
  };
}
