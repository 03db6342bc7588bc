/**
 * Evaluated in the page, as it stands: returns what is cut off, covered, or wider than its room. Pictures depend on the
 * fonts of a machine; these rules hold with every font.
 */
(() => {
  const faults = [];
  const nameOf = (element) => {
    const words = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replaceAll(/\s+/g, ' ');
    return `<${element.localName} class="${element.className.baseVal ?? element.className}"> ${words.slice(0, 60)}`;
  };
  const styles = new Map();
  const styleOf = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element));
    return styles.get(element);
  };
  const parentsOf = (element) => {
    const parents = [];
    for (let at = element.parentElement; at; at = at.parentElement) parents.push(at);
    return parents;
  };
  const layerOf = (element) => element.closest(':popover-open, dialog[open]');
  /** The part of a box that the elements around it leave visible; null if there is none. */
  const visiblePart = (element) => {
    let { left, top, right, bottom } = element.getBoundingClientRect();
    for (const each of parentsOf(element)) {
      if (styleOf(each).overflow !== 'visible') {
        const clip = each.getBoundingClientRect();
        left = Math.max(left, clip.left);
        top = Math.max(top, clip.top);
        right = Math.min(right, clip.right);
        bottom = Math.min(bottom, clip.bottom);
      }
      // A menu or a dialog is drawn above everything around it.
      if (each === layerOf(element)) break;
    }
    return right - left > 1 && bottom - top > 1 ? { left, top, right, bottom } : null;
  };
  const isShown = (element) =>
    // Bubbles off the screen have no layout of their own yet.
    element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) &&
    ![element, ...parentsOf(element)].some((each) => styleOf(each).clipPath !== 'none');
  const shown = [...document.body.querySelectorAll('*')].filter(
    (each) => !each.closest('svg, option') && isShown(each),
  );

  // Nothing is wider than the window. Only a text that one writes scrolls sideways, and a row of filters under a finger.
  const canScroll = innerWidth < 760 ? '.chips, textarea' : 'textarea';
  if (document.documentElement.scrollWidth > innerWidth) faults.push('The page is wider than the window.');
  for (const element of shown) {
    if (!/auto|scroll/.test(styleOf(element).overflowX) || element.matches(canScroll)) continue;
    if (element.scrollWidth > element.clientWidth + 1) faults.push(`Scrolls sideways: ${nameOf(element)}`);
  }

  // No two controls overlap, except a button inside the field that it empties.
  const controls = shown
    .filter((each) => each.matches('a[href], button, input, select, textarea, summary'))
    .flatMap((element) => {
      const box = visiblePart(element);
      return box ? [{ element, box }] : [];
    });
  controls.forEach(({ element, box }, at) => {
    for (const other of controls.slice(at + 1)) {
      if (layerOf(element) !== layerOf(other.element) || element.contains(other.element)) continue;
      if (element.parentElement === other.element.closest('.searchbox')) continue;
      const width = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const height = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
      if (width > 1 && height > 1) faults.push(`Overlap: ${nameOf(element)} and ${nameOf(other.element)}`);
    }
  });

  // A text that has no room ends with an ellipsis, after more than a letter; or it has lines of several words.
  for (const element of shown) {
    const { textOverflow: ownOverflow } = styleOf(element);
    const range = document.createRange();
    for (const text of element.childNodes) {
      if (text.nodeType !== Node.TEXT_NODE || text.data.trim() === '') continue;
      range.selectNodeContents(text);
      const { left, right } = range.getBoundingClientRect();
      if (right - left < 96 && range.getClientRects().length > 6) faults.push(`In a narrow column: ${nameOf(element)}`);
      for (const around of [element, ...parentsOf(element)]) {
        const { overflowX, textOverflow } = styleOf(around);
        if (overflowX === 'visible') continue;
        const clip = around.getBoundingClientRect();
        const isCut = right > clip.right + 1 || left < clip.left - 1;
        if (isCut && textOverflow !== 'ellipsis' && !around.matches(canScroll)) {
          faults.push(`Cut off: ${nameOf(element)}`);
        }
        break;
      }
    }
    const isCut = element.scrollWidth > element.clientWidth + 1 && ownOverflow === 'ellipsis' && visiblePart(element);
    if (isCut && element.clientWidth < 32) faults.push(`Cut to a letter: ${nameOf(element)}`);
    if (element.placeholder && ownOverflow !== 'ellipsis' && !element.matches('textarea')) {
      faults.push(`Its placeholder has no ellipsis: ${nameOf(element)}`);
    }
  }

  // Each part that scrolls ends above the bar at the bottom and below the one at the top.
  const scrolls = (element) => /auto|scroll/.test(styleOf(element).overflowY);
  const bars = [...document.querySelectorAll('.head, .nav')].map((each) => each.getBoundingClientRect());
  for (const element of shown) {
    if (!scrolls(element) || parentsOf(element).some(scrolls) || element.closest('.nav') || layerOf(element)) continue;
    const box = element.getBoundingClientRect();
    const isCovered = bars.some((bar) => {
      const width = Math.min(box.right, bar.right) - Math.max(box.left, bar.left);
      const height = Math.min(box.bottom, bar.bottom) - Math.max(box.top, bar.top);
      return width > 1 && height > 1;
    });
    const isOutside = box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
    if (isCovered || isOutside) faults.push(`Covered at its end: ${nameOf(element)}`);
  }

  // What begins a row stands beside its text.
  for (const first of shown.filter((each) => each.matches('.rows .first'))) {
    const { top: textTop } = first.nextElementSibling.getBoundingClientRect();
    if (textTop >= first.getBoundingClientRect().bottom) faults.push(`Alone on its line: ${nameOf(first)}`);
  }

  // An open row is where one sees it.
  const current = document.querySelector('tr.current');
  const list = current?.closest('.scroller');
  if (list && isShown(current)) {
    const [row, room] = [current.getBoundingClientRect(), list.getBoundingClientRect()];
    if (row.top < room.top - 1 || row.bottom > room.bottom + 1) faults.push(`Out of sight: ${nameOf(current)}`);
  }
  return [...new Set(faults)];
})();
