/** The public interface of the dialect: its type and defaults, and its file format. */
export { defaultDialect, type Dialect } from './model.js';
export { dialectDocument } from './dialect-document.js';
export { DialectError, parseDialect } from './parse.js';
