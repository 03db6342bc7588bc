/** The types for `require`: those of the ES module, which is what it returns. */
import type * as library from './index.js' with { 'resolution-mode': 'import' };

export type * from './index.js' with { 'resolution-mode': 'import' };
export declare const connectSandbox: typeof library.connectSandbox;
export declare const createSandbox: typeof library.createSandbox;
export declare const SandboxError: typeof library.SandboxError;
export type SandboxError = library.SandboxError;
export declare const SIGNATURE_HEADER: typeof library.SIGNATURE_HEADER;
export declare const verifySignature: typeof library.verifySignature;
