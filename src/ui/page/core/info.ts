/** What the sandbox says of itself: tables that need no scenario. Read once; they hold for the life of the process. */
import { signal } from '@preact/signals';
import { Api } from './api.js';
import type { Info } from './records.js';

const info = signal<Info | null>(null);
let asked = false;

/** Null until it is there; asking begins with the first look. */
export function sandboxInfo(): Info | null {
  if (!asked) {
    asked = true;
    void new Api(null)
      .get('/_sandbox/info')
      .then((answer) => {
        info.value = answer;
      })
      .catch(() => {
        asked = false;
      });
  }
  return info.value;
}
