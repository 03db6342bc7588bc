/**
 * The panels in the order of the navigation; a new panel is a folder and an entry here. A panel's code is loaded when
 * it is opened; its entry in the navigation comes from this file.
 */
import type { ComponentType } from 'preact';
import type { Route } from '../core/route.js';
import { lazyView } from '../parts/lazy-view.js';
import { totalUnread } from './handset/unread.js';
import type { Panel } from './panel.js';
import { waiting } from './templates/queue.js';

type View = ComponentType<{ readonly route: Route }>;

const lazy = (load: () => Promise<View>) => lazyView<{ readonly route: Route }>(load);

export const panels: readonly [Panel, ...Panel[]] = [
  {
    id: 'handset',
    title: 'Handset',
    icon: 'chat',
    view: lazy(async () => (await import('./handset/panel.js')).Handset),
    badge: totalUnread,
  },
  {
    id: 'send',
    title: 'Send',
    icon: 'send',
    view: lazy(async () => (await import('./send/panel.js')).Send),
  },
  {
    id: 'templates',
    title: 'Templates',
    icon: 'template',
    view: lazy(async () => (await import('./templates/panel.js')).Templates),
    badge: (model) => waiting(model.templates.rows),
  },
  {
    id: 'codes',
    title: 'Codes',
    icon: 'key',
    view: lazy(async () => (await import('./codes/panel.js')).Codes),
  },
  {
    id: 'webhooks',
    title: 'Webhooks',
    icon: 'webhook',
    view: lazy(async () => (await import('./webhooks/panel.js')).Webhooks),
    badge: (model) => model.webhooks.rows.filter(({ status }) => status === 'paused').length,
  },
  {
    id: 'requests',
    title: 'Requests',
    icon: 'requests',
    view: lazy(async () => (await import('./requests/panel.js')).Requests),
  },
  {
    id: 'scenario',
    title: 'Scenario',
    icon: 'scenario',
    view: lazy(async () => (await import('./scenario/panel.js')).Scenario),
  },
  {
    id: 'coverage',
    title: 'Coverage',
    icon: 'coverage',
    view: lazy(async () => (await import('./coverage/panel.js')).CoverageView),
  },
  {
    id: 'explore',
    title: 'Explore',
    icon: 'bolt',
    view: lazy(async () => (await import('./explore/panel.js')).Explore),
  },
  {
    id: 'account',
    title: 'Account',
    icon: 'account',
    view: lazy(async () => (await import('./account/panel.js')).Account),
  },
  {
    id: 'story',
    title: 'Story',
    icon: 'clock',
    hidden: true,
    view: lazy(async () => (await import('./story/panel.js')).Story),
  },
  {
    id: 'compare',
    title: 'Comparison',
    icon: 'requests',
    hidden: true,
    view: lazy(async () => (await import('./compare/panel.js')).Compare),
  },
];

/** The panels in the navigation: each has a number key and an entry in the search. */
export const shownPanels = panels.filter(({ hidden }) => hidden !== true);
