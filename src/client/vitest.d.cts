import type * as module from './vitest.js' with { 'resolution-mode': 'import' };

export type * from './vitest.js' with { 'resolution-mode': 'import' };

export declare const useSandbox: typeof module.useSandbox;
