/** What starting a sandbox takes, loaded as one with the first start. */
export { ConfigError, resolveConfig } from '../config/index.js';
export { startSandbox } from '../sandbox.js';
