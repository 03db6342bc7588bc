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
