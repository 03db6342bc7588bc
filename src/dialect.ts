/** The dialect's public door: its type and defaults, its file format, and the list of what we assumed. */
export { defaultDialect } from './dialect/model.js';
export type { Dialect } from './dialect/model.js';
export { DialectError, parseDialect } from './dialect/parse.js';
export { assumptions } from './dialect/assumptions.js';
