/** Text fields are left out: a phone would open its keyboard. */
const reachable = 'a[href], button:not(:disabled), summary, [tabindex="0"]';

/**
 * Keeps the focus nearby: if the focused element is removed or disabled, the focus goes to the first control of what was
 * around it. Otherwise, keyboard users would start at the top of the page again.
 */
export function keepFocus(): void {
  let last: Element | null = null;
  let around: readonly Element[] = [];
  addEventListener('focusin', ({ target }) => {
    last = target instanceof Element ? target : null;
    around = [];
    const inside = last?.parentElement?.closest('#content');
    for (let at = inside ? last?.parentElement : null; at && at !== inside; at = at.parentElement)
      around = [...around, at];
  });
  // A click elsewhere removes the focus intentionally.
  addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && !last?.contains(target)) last = null;
  });
  const look = () => {
    const { activeElement: active, body } = document;
    if (last === null || (active !== body && active !== null && !active.matches(':disabled'))) return;
    const place = around.find((each) => each.isConnected && each.querySelector(reachable));
    const next = place?.querySelector<HTMLElement>(reachable) ?? document.getElementById('content');
    next?.focus({ preventScroll: true });
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}
