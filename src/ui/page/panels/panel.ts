/** The interface between a panel and the shell. */
import type { ComponentType } from 'preact';
import type { AccountModel } from '../core/model.js';
import type { Route } from '../core/route.js';
import type { IconName } from '../parts/icon.js';

export interface Panel {
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
