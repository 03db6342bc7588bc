/** Programs that tests run, and the package as a user gets it. */
import { execFile } from 'node:child_process';
import { cp, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Surroundings {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program to its end, without the settings of the developer. */
export function run(program: string, args: readonly string[], { cwd, env = {} }: Surroundings): Promise<Ran> {
  const own = /^(?:SANDBOX_|MESSAGING_|VITEST|TEST$|NODE_ENV$|NODE_OPTIONS$|PORT$|npm_)/;
  const clean = Object.entries(process.env).filter(([name]) => !own.test(name));
  const settings = { cwd, env: { ...Object.fromEntries(clean), ...env }, maxBuffer: 32 * 1024 * 1024 };
  return new Promise((done, reject) => {
    execFile(program, [...args], settings, (error, stdout, stderr) => {
      if (error === null) done({ code: 0, stdout, stderr });
      else if (typeof error.code === 'number') done({ code: error.code, stdout, stderr });
      else reject(new Error(`${program} could not be run: ${error.message}`, { cause: error }));
    });
  });
}

/**
 * Does the same for a program that must succeed.
 * @throws Error with its output
 */
export async function must(program: string, args: readonly string[], surroundings: Surroundings): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, surroundings);
  if (code === 0) return stdout;
  throw new Error(`${[program, ...args].join(' ')} ended with ${code}:\n${stdout}\n${stderr}`);
}

/** Whether a program is installed. */
export async function has(program: string, ...args: string[]): Promise<boolean> {
  return run(program, args, { cwd: '.' }).then(
    ({ code }) => code === 0,
    () => false,
  );
}

export interface Packed {
  /** The folder in which it was packed. */
  readonly folder: string;
  readonly tarball: string;
  /** Paths inside the package. */
  readonly files: readonly string[];
}

/** Copies the packed files to where an application would have them installed, next to the packages that they need. */
export async function copyPackage({ folder, files }: Packed, to: string): Promise<void> {
  for (const file of files) await cp(join(folder, file), join(to, file));
  await symlink(resolve('node_modules'), join(to, 'node_modules'));
}

/** Arguments of Node that run the tests of a user's folder with this project's vitest, patiently: the machine may be busy. */
export const vitestRun: readonly string[] = [
  resolve('node_modules/vitest/vitest.mjs'),
  ...['run', '--root', '.', '--hookTimeout=60000', '--testTimeout=60000'],
];
