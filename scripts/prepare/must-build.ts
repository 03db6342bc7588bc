/**
 * Whether npm's wish to prepare the package means a build.
 * @param command what npm was called for (`npm_command`), such as `ci`, `pack` or `exec`, which is npx
 * @param built whether there is a build
 */
export const mustBuild = (command: string | undefined, built: boolean): boolean => command !== 'exec' || !built;
