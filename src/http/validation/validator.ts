/** express-openapi-validator, in a file of its own: a bundle keeps the names of a CommonJS package for a static import alone. */
export { middleware } from 'express-openapi-validator';
