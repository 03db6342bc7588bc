import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

/** Node 22.8 and later have it; the types are those of the oldest Node that we run on. */
interface WithCompileCache {
  readonly enableCompileCache?: (folder?: string) => unknown;
}

/** Beside the bundle, in the image: made when that is built, as nothing can be written there later. */
const shipped = fileURLToPath(new URL('../compiled', import.meta.url));

/**
 * Has Node keep what V8 made of the files loaded from now on, so that the next start need not compile them again: in the
 * folder that came with the bundle, otherwise where Node keeps such things (`NODE_COMPILE_CACHE`, or beside temporary
 * files). Does nothing where Node cannot, or is told not to (`NODE_DISABLE_COMPILE_CACHE`).
 */
export function keepCompiled(node: WithCompileCache = module as WithCompileCache, folder = shipped): void {
  node.enableCompileCache?.(existsSync(folder) ? folder : undefined);
}
