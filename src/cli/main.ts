#!/usr/bin/env node
import module from 'node:module';
import { run } from './program.js';

// From 22.8 on, Node can cache compiled code, so that the next start is faster. The types are Node 20's.
(module as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();
// Deprecations inside dependencies are for the developers, not for the user's log.
process.noDeprecation = true;

/** True if output was lost: on a full disk, not when a reader has stopped early (`| head`). */
let unwritten = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (unwritten || error.code === 'EPIPE') return;
  unwritten = true;
  process.stderr.write(`messaging-sandbox: cannot write to stdout: ${error.message}\n`);
  process.exitCode ||= 1;
});
process.stderr.on('error', () => undefined);

void run(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode || Number(unwritten);
});
