/** The settings' public door: their type and defaults, and the one way to read them (contract §8). */
import { resolveConfig } from './resolve.js';

export type { Config } from './config.js';
export { ConfigError } from './error.js';
export { configOptionList } from './options.js';
export type { ConfigOption } from './options.js';
export { resolveConfig } from './resolve.js';
export type { ConfigInput, FlagValues } from './resolve.js';
export { unknownVariables } from './unknown-variables.js';

/** What holds when nobody sets anything. */
export const defaultConfig = resolveConfig();
