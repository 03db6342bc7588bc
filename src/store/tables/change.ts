import type { Row } from '../../domain/row.js';

/** One step of a write. `patch` carries only what changed. */
export type Change =
  | { readonly op: 'insert'; readonly table: string; readonly row: Row }
  | { readonly op: 'patch'; readonly table: string; readonly id: string; readonly patch: object; readonly row: Row }
  | { readonly op: 'delete'; readonly table: string; readonly row: Row }
  | { readonly op: 'clear'; readonly table: string };
