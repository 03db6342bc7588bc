/**
 * Builds dist/: the server, the CLI and the library as one bundle per entry (fast start, few files to read), with types
 * next to them. `--no-types` omits the types, which an image does not need and which take half of the time.
 */
import { rm } from 'node:fs/promises';
import { bundle } from './bundle.js';
import { emitTypes } from './types.js';

await rm('dist', { recursive: true, force: true });
await bundle('dist');
if (!process.argv.includes('--no-types')) await emitTypes('dist/types');
