/** The panels in the order of the navigation: a new one is a folder and a line here. */
import { account } from './account/panel.js';
import { codes } from './codes/panel.js';
import { coverage } from './coverage/panel.js';
import { handset } from './handset/panel.js';
import type { Panel } from './panel.js';
import { requests } from './requests/panel.js';
import { scenario } from './scenario/panel.js';
import { templates } from './templates/panel.js';
import { webhooks } from './webhooks/panel.js';

export const panels: readonly [Panel, ...Panel[]] = [
  handset,
  templates,
  codes,
  webhooks,
  requests,
  scenario,
  coverage,
  account,
];
