/** The panels in the order of the navigation: a new one is a folder and a line here. */
import { handset } from './handset/panel.js';
import type { Panel } from './panel.js';

export const panels: readonly [Panel, ...Panel[]] = [handset];
