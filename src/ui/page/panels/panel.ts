/** What a panel is to the shell. */
import type { ComponentType } from 'preact';
import type { AccountModel } from '../core/model.js';
import type { Route } from '../core/route.js';
import type { IconName } from '../parts/icon.js';

export interface Panel {
  /** Its part of the address. */
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  /** It is not in the navigation: links lead to it. */
  readonly hidden?: true;
  /** Everything it shows follows from the route and from `model`. */
  readonly view: ComponentType<{ readonly route: Route }>;
  /** What waits there for somebody, as a number in the navigation; 0 for nothing. Reads signals; must not ask the sandbox. */
  readonly badge?: (model: AccountModel) => number;
}
