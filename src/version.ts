/** The version of this package, from package.json. */
import manifest from '../package.json' with { type: 'json' };

export const version: string = manifest.version;
