/** A signal that changes several times a second, for everything that shows passing time. */
import { signal } from '@preact/signals';
import { every } from './browser.js';

export const tick = signal(0);

every(250, () => {
  tick.value += 1;
});
