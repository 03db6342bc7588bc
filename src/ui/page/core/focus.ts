/**
 * Keeps the focus nearby: if the focused element is removed or disabled, the focus goes to what is now in its place.
 * Otherwise, keyboard users would start at the top of the page again.
 */

/** The focused element, and its index within each of its ancestors, nearest first. */
interface Stand {
  readonly element: HTMLElement;
  readonly around: readonly { readonly parent: Element; readonly index: number }[];
}

/** Without what is written in: a phone would open its keyboard. */
const reachable = 'a[href], button:not(:disabled), summary, [tabindex="0"]';

let stand: Stand | null = null;

/** Starts watching the focus. */
export function keepFocus(): void {
  addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) stand = { element: target, around: ancestorsOf(target) };
  });
  // A click elsewhere removes the focus intentionally.
  addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && stand?.element.contains(target) === false) stand = null;
  });
  new MutationObserver(look).observe(document, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}

function ancestorsOf(element: Element): Stand['around'] {
  const around: { parent: Element; index: number }[] = [];
  for (let at = element; at.parentElement; at = at.parentElement) {
    around.push({ parent: at.parentElement, index: [...at.parentElement.children].indexOf(at) });
  }
  return around;
}

function look(): void {
  if (stand === null || !document.hasFocus()) return;
  const { element, around } = stand;
  const { activeElement: active } = document;
  const off = element.matches(':disabled');
  if (active !== document.body && active !== null && !(active === element && off)) return;
  const next = element.isConnected && !off ? element : (neighbourOf(around) ?? document.getElementById('content'));
  next?.focus({ preventScroll: true });
}

/** Returns the element that is now at or after the lost position, or the last one before it. */
function neighbourOf(around: Stand['around']): HTMLElement | null {
  const content = document.getElementById('content');
  for (const { parent, index } of around) {
    // Outside the content there is no near neighbour.
    if (parent !== content && parent.contains(content)) return null;
    if (!parent.isConnected) continue;
    const all = [...parent.querySelectorAll<HTMLElement>(reachable)].filter((each) => each.checkVisibility());
    const place = parent.children[Math.min(index, parent.children.length - 1)];
    const after = (each: Element) =>
      !place || !(place.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_PRECEDING);
    const found = all.find(after) ?? all.at(-1);
    if (found) return found;
  }
  return null;
}
