/** The modules for starting a sandbox, loaded together with the first start. */
export { ConfigError, configOptionList, resolveConfig } from '../config/index.js';
export { startSandbox } from '../sandbox.js';
