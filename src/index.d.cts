/** The types of `require('messaging-sandbox')`: those of the ES module, which CommonJS cannot name without a mode. */
import type * as module from './index.js' with { 'resolution-mode': 'import' };

export type * from './index.js' with { 'resolution-mode': 'import' };

export declare const connectSandbox: typeof module.connectSandbox;
export declare const createSandbox: typeof module.createSandbox;
export declare const verifySignature: typeof module.verifySignature;
export declare const SIGNATURE_HEADER: typeof module.SIGNATURE_HEADER;
export declare const SandboxError: typeof module.SandboxError;
export type SandboxError = module.SandboxError;
