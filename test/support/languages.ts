/** The languages of the clients: whether this machine has them, and in which version. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { has, must, run } from './package.js';

const cache = join(homedir(), '.cache', 'messaging-sandbox');

/** Reports what could not be tested, so that a successful run does not hide it. */
export function skipLoudly(skip: (note: string) => void, what: string): void {
  const note = `NOT RUN: ${what}`;
  process.stderr.write(`${note}\n`);
  skip(note);
}

const pythonPackages = [
  'hatchling==1.33.0',
  'httpx==0.28.1',
  'mypy==2.4.1',
  'pytest==9.2.0',
  'pytest-asyncio==1.5.0',
  'pytest-xdist==3.8.0',
];

/** Runs Python with the client installed. */
export interface Python {
  /** Runs `python3 ARGS…` with these variables. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>, cwd?: string): ReturnType<typeof run>;
}

/**
 * Installs the client, as `pip install ./clients/python` does, beside a cached environment with what it and its tests need;
 * again only when its files have changed.
 * @returns null where there is no Python 3.11, or no package registry to fill the cache from
 */
export async function pythonWithClient(): Promise<Python | null> {
  const environment = await pythonEnvironment();
  if (environment === null) return null;
  const python = join(environment, 'bin/python');
  const target = `${environment}-${await digestOf('clients/python')}`;
  if (!existsSync(target)) {
    // Another run may install the same now, so it is renamed once it is complete.
    const fresh = await mkdtemp(`${target}.`);
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-build-isolation', '--no-deps', '--target', fresh];
    await must(python, [...pip, './clients/python'], { cwd: '.' });
    await rename(fresh, target).catch(() => rm(fresh, { recursive: true }));
  }
  return {
    run: (args, env = {}, cwd = '.') =>
      run(python, args, { cwd, env: { PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: target, ...env } }),
  };
}

async function digestOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const paths = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('__pycache__'))
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.sort()) hash.update(path).update(await readFile(path));
  return hash.digest('hex').slice(0, 12);
}

async function pythonEnvironment(): Promise<string | null> {
  const name = createHash('sha256').update(pythonPackages.join()).digest('hex').slice(0, 12);
  const place = join(cache, `clients-python-${name}`);
  if (existsSync(place)) return place;
  if (!(await has('python3', '-c', 'import sys, venv; sys.exit(sys.version_info < (3, 11))'))) return null;
  await mkdir(cache, { recursive: true });
  // Another run may create the same one now, so it is renamed once it is complete.
  const fresh = await mkdtemp(`${place}.`);
  const made =
    (await has('python3', '-m', 'venv', fresh)) &&
    (await has(join(fresh, 'bin/python'), '-m', 'pip', 'install', '--quiet', ...pythonPackages));
  if (made) await rename(fresh, place).catch(() => undefined);
  await rm(fresh, { recursive: true, force: true });
  return existsSync(place) ? place : null;
}

/** Whether there is a Go version that meets the client's go.mod. No other toolchain is downloaded. */
export async function hasGo(): Promise<boolean> {
  const { stdout } = await run('go', ['version'], { cwd: '.', env: { GOTOOLCHAIN: 'local' } }).catch(() => ({
    stdout: '',
  }));
  const [, minor = '0'] = /\bgo1\.(\d+)/.exec(stdout) ?? [];
  return Number(minor) >= 24;
}

/**
 * Runs `go ARGS…`, with the race detector where its C compiler is. All programs are compiled with these flags, because the
 * first one compiles the standard library: that takes longer than all tests, and with optimizations half as long again. No
 * toolchain and no module is downloaded: the client only needs the standard library. Without paths in it, a package that was
 * compiled in another folder is not compiled again.
 */
export async function go(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  const race = (await has('gcc', '--version')) ? ' -race' : '';
  const GOFLAGS = `-mod=mod -trimpath '-gcflags=all=-N -l'${race}`;
  return run('go', args, { cwd, env: { GOTOOLCHAIN: 'local', GOPROXY: 'off', GOFLAGS, ...env } });
}

/**
 * Runs the tests of a Maven project. What it needs is fetched once, into Maven's own cache.
 * @returns null where there is no JDK or no Maven, or if what the project needs cannot be fetched
 */
export async function mavenTest(project: string, env: Readonly<Record<string, string>>): ReturnType<typeof mavenRun> {
  // Asking them for their versions would start Java twice.
  if (!(await has('sh', '-c', 'command -v javac && command -v mvn'))) return null;
  return mavenRun(project, env);
}

async function mavenRun(
  project: string,
  env: Readonly<Record<string, string>>,
): Promise<Awaited<ReturnType<typeof run>> | null> {
  // For a program that runs once, compiling it thoroughly costs more than it saves; nor do its tests need a second one.
  const JAVA_TOOL_OPTIONS = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';
  const surroundings = { cwd: project, env: { JAVA_TOOL_OPTIONS, ...env } };
  const test = (...flags: string[]) => run('mvn', ['--batch-mode', '-DforkCount=0', ...flags, 'test'], surroundings);
  const cached = await test('--offline');
  if (!/Cannot access|offline mode/.test(cached.stdout)) return cached;
  const ran = await test();
  return /Could not (?:transfer|resolve)|Unknown host/.test(ran.stdout) ? null : ran;
}
