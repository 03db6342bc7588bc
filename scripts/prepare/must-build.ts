/**
 * Whether to build when npm prepares the package.
 * @param command the npm command (`npm_command`), such as `ci`, `pack` or `exec`, which is npx
 * @param built whether there is a build
 */
export const mustBuild = (command: string | undefined, built: boolean): boolean => command !== 'exec' || !built;
