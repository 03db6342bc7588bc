/**
 * Builds dist/: the server, the CLI and the library as one bundle per entry (fast start, few files to read), types beside
 * them.
 */
import { rm } from 'node:fs/promises';
import { bundle } from './bundle.js';
import { emitTypes } from './types.js';

await rm('dist', { recursive: true, force: true });
await bundle('dist');
await emitTypes('dist/types');
