import type { Check } from './check.js';
import { place } from './forms.js';

/** The fields of every stored record: its id, and its place in the account's sequence, which is the cursor of every list. */
export interface Row {
  readonly id: string;
  readonly seq: number;
}

export function rowFields(id: Check<string>) {
  return { id, seq: place };
}
