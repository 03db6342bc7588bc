/** The panels in the order of the navigation: a new one is a folder and a line here. */
import { coverage } from './coverage/panel.js';
import { handset } from './handset/panel.js';
import type { Panel } from './panel.js';
import { scenario } from './scenario/panel.js';

export const panels: readonly [Panel, ...Panel[]] = [handset, scenario, coverage];
