import type * as module from './node-test.js' with { 'resolution-mode': 'import' };

export type * from './node-test.js' with { 'resolution-mode': 'import' };

export declare const useSandbox: typeof module.useSandbox;
