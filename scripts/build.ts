/**
 * Builds dist/: the server and CLI as one bundle per entry (fast start, few files to read), types beside them.
 */
import { rm } from 'node:fs/promises';
import { bundle } from './bundle.js';

await rm('dist', { recursive: true, force: true });
await bundle('dist');
