/**
 * Keeps the focus nearby: if the focused element is removed, moved or disabled, the focus goes to the nearest
 * neighbour. Otherwise, keyboard users would start at the top of the page again.
 */

/** The position of the focus: the element, and its index within each of its ancestors, nearest first. */
interface Stand {
  readonly element: HTMLElement;
  readonly around: readonly { readonly parent: Element; readonly index: number }[];
}

const reachable = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
/** The last choice for the focus: a phone would open its keyboard. */
const written = 'input, select, textarea';

let stand: Stand | null = null;

/** Starts watching the focus. */
export function keepFocus(): void {
  addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) stand = { element: target, around: placesOf(target) };
  });
  // A click elsewhere removes the focus intentionally.
  addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && stand?.element.contains(target) === false) stand = null;
  });
  new MutationObserver(look).observe(document, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}

function placesOf(element: Element): Stand['around'] {
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
  if (element.isConnected && !off) element.focus({ preventScroll: true });
  else neighbourOf(around)?.focus({ preventScroll: true });
}

/** Returns the element that is now at or before the lost position; the panel if there is none nearby. */
function neighbourOf(around: Stand['around']): HTMLElement | null {
  const content = document.getElementById('content');
  for (const { parent, index } of around) {
    if (!parent.isConnected) continue;
    if (content && parent !== content && parent.contains(content)) break;
    const all = [...parent.querySelectorAll<HTMLElement>(reachable)].filter(
      (each) => each.checkVisibility() && !each.matches(':disabled, [inert] *'),
    );
    const first = parent.children[Math.min(index, parent.children.length - 1)];
    const isBefore = (each: Element) => (first?.compareDocumentPosition(each) ?? 0) & Node.DOCUMENT_POSITION_PRECEDING;
    const choice = [...all.filter((each) => !isBefore(each)), ...all.toReversed()];
    const found = choice.find((each) => !each.matches(written)) ?? choice[0];
    if (found) return found;
  }
  return content;
}
