/** The version of this package, as package.json says it. */
import manifest from '../package.json' with { type: 'json' };

export const version: string = manifest.version;
