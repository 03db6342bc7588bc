/** Builds dist/. */
import { rm } from 'node:fs/promises';
import { compile, writeDist } from './dist.js';

await rm('dist', { recursive: true, force: true });
await writeDist('dist', compile);
