/** The public interface of the dialect: its type and defaults, its file format, and the list of assumptions. */
export { defaultDialect } from './model.js';
export type { Dialect } from './model.js';
export { dialectDocument } from './dialect-document.js';
export { DialectError, parseDialect } from './parse.js';
export { assumptions } from './assumptions.js';
export { dialectSettings, type DialectSetting } from './settings.js';
