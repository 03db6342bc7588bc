/** The settings' public door: their type and defaults, and the one way to read them (contract §8). */
import { resolveConfig } from './config/resolve.js';

export type { Config } from './config/config.js';
export { ConfigError } from './config/error.js';
export { configOptionList } from './config/options.js';
export type { ConfigOption } from './config/options.js';
export { resolveConfig } from './config/resolve.js';
export type { ConfigInput, FlagValues } from './config/resolve.js';
export { unknownVariables } from './config/unknown-variables.js';

/** What holds when nobody sets anything. */
export const defaultConfig = resolveConfig();
