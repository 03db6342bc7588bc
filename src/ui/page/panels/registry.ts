/**
 * The panels in the order of the navigation; a new panel is a folder and an entry here. A panel's code is loaded when
 * it is opened; its entry in the navigation comes from this file.
 */
import type { ComponentType } from 'preact';
import type { AccountModel } from '../core/model.js';
import type { Route } from '../core/route.js';
import type { IconName } from '../parts/icon.js';
import { lazyView } from '../parts/lazy-view.js';
import { totalUnread } from './handset/unread.js';
import { waiting } from './templates/queue.js';

/** @param load returns the view, whose code is loaded when the panel is first opened */
function panel(
  id: string,
  title: string,
  icon: IconName,
  load: () => Promise<Panel['view']>,
  more: Pick<Panel, 'hidden' | 'badge'> = {},
): Panel {
  return { id, title, icon, view: lazyView<{ readonly route: Route }>(load), ...more };
}

export const panels: readonly [Panel, ...Panel[]] = [
  panel('handset', 'Handset', 'chat', async () => (await import('./handset/panel.js')).Handset, { badge: totalUnread }),
  panel('send', 'Send', 'send', async () => (await import('./send/panel.js')).Send),
  panel('templates', 'Templates', 'template', async () => (await import('./templates/panel.js')).Templates, {
    badge: (model) => waiting(model.templates.rows),
  }),
  panel('codes', 'Codes', 'key', async () => (await import('./codes/panel.js')).Codes),
  panel('webhooks', 'Webhooks', 'webhook', async () => (await import('./webhooks/panel.js')).Webhooks, {
    badge: (model) => model.webhooks.rows.filter(({ status }) => status === 'paused').length,
  }),
  panel('requests', 'Requests', 'requests', async () => (await import('./requests/panel.js')).Requests),
  panel('scenario', 'Scenario', 'scenario', async () => (await import('./scenario/panel.js')).Scenario),
  panel('coverage', 'Coverage', 'coverage', async () => (await import('./coverage/panel.js')).CoverageView),
  panel('explore', 'Explore', 'bolt', async () => (await import('./explore/panel.js')).Explore),
  panel('account', 'Account', 'account', async () => (await import('./account/panel.js')).Account),
  panel('story', 'Story', 'clock', async () => (await import('./story/panel.js')).Story, { hidden: true }),
  panel('compare', 'Comparison', 'requests', async () => (await import('./compare/panel.js')).Compare, {
    hidden: true,
  }),
];

/** The panels in the navigation: each has a number key and an entry in the search. */
export const shownPanels = panels.filter(({ hidden }) => hidden !== true);

interface Panel {
  /** Its name in the address. */
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  /** Not in the navigation; links lead to it. */
  readonly hidden?: true;
  /** Renders the panel, from the route and `model` only. */
  readonly view: ComponentType<{ readonly route: Route }>;
  /**
   * Number of items that wait for the user, shown in the navigation; 0 for none. Reads signals; must not call the
   * sandbox.
   */
  readonly badge?: (model: AccountModel) => number;
}
