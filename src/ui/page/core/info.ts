/**
 * Data of the sandbox that does not depend on a scenario. It is constant while the process runs, so it is read once.
 */
import { signal } from '@preact/signals';
import { Api } from './api.js';
import { later } from './browser.js';
import type { Info } from './records.js';

const info = signal<Info | null>(null);
let asked = false;
/** Milliseconds between two attempts. */
const againMs = 1000;

/** Null until it has loaded; the first access starts loading, which is repeated until there is a response. */
export function sandboxInfo(): Info | null {
  if (!asked) {
    asked = true;
    void ask();
  }
  return info.value;
}

async function ask(): Promise<void> {
  const answer = await new Api(null).get('/_sandbox/info').catch(() => null);
  if (answer) info.value = answer;
  else later(againMs, () => void ask());
}
