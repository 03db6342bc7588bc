import { existsSync } from 'node:fs';

/** Files that container runtimes leave at the root of a container: Docker's, then Podman's. */
const MARKS = ['/.dockerenv', '/run/.containerenv'] as const;

/** Whether this process runs inside a container, where 127.0.0.1 is the container and not the developer's machine. */
export function isInsideContainer(
  env: Readonly<Record<string, string | undefined>>,
  fileExists: (path: string) => boolean = existsSync,
): boolean {
  const cluster = env['KUBERNETES_SERVICE_HOST'];
  return (cluster !== undefined && cluster !== '') || MARKS.some((path) => fileExists(path));
}
