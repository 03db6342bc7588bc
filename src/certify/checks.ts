/** All checks in the order of the run; those that may break the receiver come last. */
import type { Check } from './check.js';
import { acceptedChecks } from './accepted-checks.js';
import { damageChecks, timeChecks } from './damage-checks.js';
import { forgeryChecks } from './forgery-checks.js';

export const checks: readonly Check[] = [...acceptedChecks, ...forgeryChecks, ...damageChecks, ...timeChecks];
