/** The settings: their type, their defaults, and how they are read. */
import { resolveConfig } from './resolve.js';

export { schemeOf } from './config.js';
export type { Config } from './config.js';
export { configOptionList } from './options.js';
export type { ConfigOption } from './config.js';
export { ConfigError, resolveConfig, unknownVariables } from './resolve.js';
export type { ConfigInput, FlagValues } from './resolve.js';

/** Returns the settings without flags and variables. */
export const defaultConfig = resolveConfig();
