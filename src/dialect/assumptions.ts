import type { Assumption } from './assumptions/assumption.js';
import { calls } from './assumptions/calls.js';
import { everywhere } from './assumptions/everywhere.js';
import { objects } from './assumptions/objects.js';
import { service } from './assumptions/service.js';
import { states } from './assumptions/states.js';

/**
 * All our decisions on points that the interface document leaves open, in the order of its sections.
 * `docs/assumptions.md` is generated from this list.
 */
export const assumptions: readonly Assumption[] = [...everywhere, ...objects, ...states, ...calls, ...service];
