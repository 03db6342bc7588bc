/** The panels: a rail at the side, or a bar at the bottom on narrow screens. */
import { here, model } from '../core/index.js';
import { Icon } from '../parts/index.js';
import { shownPanels } from '../panels/registry.js';

export function Navigation({ current }: { readonly current: string }) {
  return (
    <nav class="navigation" aria-label="Panels">
      {shownPanels.map(({ id, title, icon, badge }) => {
        const count = badge?.(model.value) ?? 0;
        return (
          <a key={id} href={here(id)} title={title} aria-current={id === current ? 'page' : undefined}>
            <span class="navigation-icon">
              <Icon name={icon} size={20} />
              {count > 0 && (
                <span class="navigation-badge">
                  {count > 99 ? '99+' : count}
                  <span class="for-readers"> waiting</span>
                </span>
              )}
            </span>
            <span class="navigation-title">{title}</span>
          </a>
        );
      })}
    </nav>
  );
}
