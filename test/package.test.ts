/** The package: packed, installed into an empty project from its registry, and used as a user would. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { isBuilt } from '../scripts/is-built.js';
import { typeErrors, typeErrorsOf } from './support/compile.js';
import { linksOf } from './support/markdown.js';
import { must, run } from './support/package.js';

const largestDownloadBytes = 3_000_000;
const largestInstallBytes = 40 * 1024 * 1024;

const packed = inject('release');

let folder: string;
let project: string;
let installed: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'package-'));
  project = join(folder, 'project');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{"private":true,"type":"module"}');
  await must('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', packed.tarball], { cwd: project });
  installed = join(project, 'node_modules/messaging-sandbox');
}, 240_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const node = (...args: string[]) => run(process.execPath, args, { cwd: project });
const script = async (name: string, text: string) => {
  await writeFile(join(project, name), text);
  return node(name);
};

interface Manifest {
  readonly version: string;
  readonly bin: Record<string, string>;
  readonly exports: Targets;
}
type Targets = string | { readonly [name: string]: Targets };
const targetsOf = (to: Targets): string[] => (typeof to === 'string' ? [to] : Object.values(to).flatMap(targetsOf));
const manifest = () => JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Manifest;

describe('what is in the package', () => {
  it('is what a user needs, and nothing of the workshop', () => {
    const allowed =
      /^(?:package\.json|(?:README|CHANGELOG|SECURITY)\.md|LICENSE|llms\.txt|openapi\.yaml|scenarios\/[\w.-]+|docs\/[\w/.-]+\.(?:md|png)|(?:deploy|dist|examples)\/.+)$/;
    expect(packed.files.filter((file) => !allowed.test(file))).toStrictEqual([]);
    const forbidden = /\.test\.|(?<!\.d)\.ts$|(?:^|\/)(?:src|test|bench|node_modules)\//;
    const own = packed.files.filter((file) => !file.startsWith('examples/'));
    expect(own.filter((file) => forbidden.test(file))).toStrictEqual([]);
    expect(packed.files).toEqual(expect.arrayContaining(['LICENSE', 'dist/ui/licences.md']));
  });

  it('has every file that package.json promises', () => {
    const { bin, exports } = manifest();
    const promised = [...Object.values(bin), ...targetsOf(exports)].map((path) => join(installed, path));
    expect(promised.length).toBeGreaterThan(6);
    expect(promised.filter((path) => !existsSync(path))).toStrictEqual([]);
  });

  it('is built: npm says nothing of a missing build, so the release looks for it', async () => {
    const workflow = readFileSync('.github/workflows/release.yml', 'utf8');
    const [, check = ''] = /run: (tar -tzf .*)/.exec(workflow) ?? [];
    const empty = join(folder, 'empty');
    await mkdir(join(empty, 'package'), { recursive: true });
    await writeFile(join(empty, 'package/package.json'), '{}');
    await must('tar', ['-czf', 'messaging-sandbox-1.2.3.tgz', 'package'], { cwd: empty });
    expect(await run('sh', ['-c', check], { cwd: empty })).not.toMatchObject({ code: 0 });
    expect(await run('sh', ['-c', check], { cwd: packed.folder })).toMatchObject({ code: 0 });
  });

  it('is built again if a source is newer than the build', async () => {
    const clone = join(folder, 'clone');
    for (const name of ['src', 'scripts']) await mkdir(join(clone, name), { recursive: true });
    const set = async (name: string, seconds: number) => {
      await mkdir(dirname(join(clone, name)), { recursive: true });
      await writeFile(join(clone, name), '');
      await utimes(join(clone, name), seconds, seconds);
    };
    for (const name of ['src/a.ts', 'openapi.yaml', 'package.json']) await set(name, 1);
    expect(isBuilt(clone)).toBe(false);
    await set('dist/cli/main.js', 2);
    expect(isBuilt(clone)).toBe(true);
    await set('src/a.ts', 3);
    expect(isBuilt(clone)).toBe(false);
  });

  it('has what its pages link to, but for pages about the sources and the clients', () => {
    const pages = packed.files.filter((file) => /^(?:README|docs\/.*|examples\/.*)\.md$/.test(file));
    const links = pages.flatMap((page) =>
      linksOf(readFileSync(join(installed, page), 'utf8'))
        .map((link) => link.replace(/#.*/, ''))
        .filter((path) => path !== '')
        .map((path) => join(dirname(page), path)),
    );
    expect(pages.length).toBeGreaterThan(15);
    expect(links.length).toBeGreaterThan(100);
    const missing = links.filter((link) => !existsSync(join(installed, link)));
    expect([...new Set(missing)].sort()).toStrictEqual([
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'clients/README.md',
      'clients/go/README.md',
      'clients/python/README.md',
    ]);
  });

  it('is as bundlers and compilers expect it, by publint and are-the-types-wrong', async () => {
    const tarball = readFileSync(packed.tarball);
    const data = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength);
    const { messages } = await publint({ pack: { tarball: data } });
    expect(messages).toEqual([]);
    const types = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
    expect(types).toHaveProperty('problems', []);
  });

  it('is small, packed and installed', async () => {
    expect(statSync(packed.tarball).size).toBeLessThan(largestDownloadBytes);
    const files = await readdir(join(project, 'node_modules'), { recursive: true, withFileTypes: true });
    const bytes = files
      .filter((file) => file.isFile())
      .reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
    expect(bytes).toBeGreaterThan(1024 * 1024);
    expect(bytes).toBeLessThan(largestInstallBytes);
    expect(existsSync(join(project, 'node_modules/vitest'))).toBe(false);
  });

  it('loads the server when it is asked to start one, and at its start only packages that always run', async () => {
    await writeFile(
      join(project, 'note.mjs'),
      `import { appendFileSync } from 'node:fs';
       export function load(url, context, next) {
         appendFileSync('loaded.txt', url + '\\n');
         return next(url, context);
       }`,
    );
    const loaded = await script(
      'loaded.mjs',
      `import { readFileSync } from 'node:fs';
       import { createRequire, register } from 'node:module';
       register('./note.mjs', import.meta.url);
       const { createSandbox } = await import('messaging-sandbox');
       const { cache } = createRequire(import.meta.url);
       const show = () => {
         const files = [...Object.keys(cache), ...readFileSync('loaded.txt', 'utf8').split('\\n')];
         const names = files.map((file) => /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(file)?.[1]);
         const fetch = process.moduleLoadList.includes('NativeModule internal/deps/undici/undici') ? ['fetch'] : [];
         const own = files.filter((file) => file.includes('/messaging-sandbox/dist/')).length;
         return [own, [...new Set(names), ...fetch].filter((name) => name && name !== 'messaging-sandbox')];
       };
       const first = show();
       await (await createSandbox()).close();
       console.log(JSON.stringify([first, show()]));`,
    );
    expect(loaded).toMatchObject({ code: 0, stderr: '' });
    const [[files, first], [startedFiles, started]] = JSON.parse(loaded.stdout) as [number, string[]][] as [
      [number, string[]],
      [number, string[]],
    ];
    expect(first).toStrictEqual([]);
    // Each file costs a start, so what is loaded together is built together.
    expect(files).toBeLessThan(5);
    expect(startedFiles).toBeLessThan(10);
    // The rows of the table of our dependencies.
    const rows = readFileSync('maintainers/decisions.md', 'utf8').matchAll(/^\| (`[^|]+`) \| ([^|]+) \|/gm);
    const runs = [...rows].flatMap(([, names = '', when]) =>
      [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ name, when })),
    );
    const always = runs.filter(({ when }) => when === 'always').map(({ name }) => name);
    expect(started.filter((name) => name === 'fetch' || runs.some((row) => row.name === name)).sort()).toStrictEqual(
      always.sort(),
    );
  });
});

describe('what is loaded on first use', () => {
  it('is CommonJS where require loads it, because the require of jest rejects ES modules', () => {
    const { resolve: find } = createRequire(join(installed, 'dist/index.js'));
    const calls = packed.files
      .filter((file) => /^dist\/(?!ui\/).*\.js$/.test(file))
      .flatMap((file) => [
        ...readFileSync(join(installed, file), 'utf8').matchAll(
          /(?:createRequire\(import\.meta\.url\)|__require)\("([^."][^"]*)"\)/g,
        ),
      ])
      .map(([, name = '']) => name);
    const isModule = (file: string) => {
      if (!file.endsWith('.js')) return file.endsWith('.mjs');
      const own = file.replace(/(.*node_modules\/(?:@[^/]+\/)?[^/]+).*/, '$1/package.json');
      return (JSON.parse(readFileSync(own, 'utf8')) as { type?: string }).type === 'module';
    };
    expect(calls).toEqual(expect.arrayContaining(['express', 'yaml', 'zod', 're2js']));
    expect(calls.filter((name) => isModule(find(name)))).toStrictEqual([]);
  });

  it('can be an ES module where Node requires none, as in 22.0 to 22.11', async () => {
    const text = `
      import { createSandbox } from 'messaging-sandbox';
      const sandbox = await createSandbox({ scenario: 'happy-path' });
      await sandbox.customer('+12025550123').says();
      await sandbox.emit('message.received');
      console.log((await sandbox.messages({ direction: 'inbound' })).length);
      await sandbox.close();
    `;
    await writeFile(join(project, 'old.mjs'), text);
    const flag = (process.features as { require_module?: boolean }).require_module
      ? ['--no-experimental-require-module']
      : [];
    expect(await node(...flag, 'old.mjs')).toMatchObject({ code: 0, stdout: '2\n', stderr: '' });
  });
});

describe('as a program', () => {
  it('says its version', async () => {
    const said = await run('npx', ['--no-install', 'messaging-sandbox', '--version'], { cwd: project });
    expect(said).toMatchObject({ code: 0, stdout: `${manifest().version}\n` });
  });
});

describe('as a library', () => {
  const story = `
    const sandbox = await createSandbox({ clock: 'frozen:2026-03-01T09:00:00Z', scenario: 'happy-path' });
    const sink = sandbox.sink('app');
    const { secret } = await sandbox.webhooks.register(sink.url, ['message.received']);
    await sandbox.customer('+12025550123').says('Hi');
    const impatient = new AbortController();
    const wait = fetch(sandbox.url + '/_sandbox/wait?for=otp&timeout=60s', { signal: impatient.signal });
    await sandbox.idle();
    impatient.abort();
    await wait.catch(() => undefined);
    const [{ body, headers }] = await sink.received();
    console.log(verifySignature(secret, body, headers['x-service-signature']));
    await sandbox.close();
    console.log('closed');
  `;

  it('runs a sandbox in an ES module, and leaves nothing that keeps the process alive', async () => {
    const text = `import { createSandbox, verifySignature } from 'messaging-sandbox';\n${story}`;
    expect(await script('story.mjs', text)).toStrictEqual({ code: 0, stdout: 'true\nclosed\n', stderr: '' });
  });

  it('runs in CommonJS where Node can require an ES module, and is refused by Node elsewhere', async () => {
    const text = `const { createSandbox, verifySignature } = require('messaging-sandbox');\n(async () => {${story}})();`;
    const ran = await script('story.cjs', text);
    const can = (process.features as { require_module?: boolean }).require_module === true;
    if (can) expect(ran).toMatchObject({ code: 0, stdout: 'true\nclosed\n' });
    else expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('ERR_REQUIRE_ESM') as string });
  });

  it('runs node:test in CommonJS, too', async () => {
    const text = `
      const test = require('node:test');
      const accountOf = require('messaging-sandbox/node-test').useSandbox();
      test('one', async (t) => { await (await accountOf(t)).customer('+12025550123').says('Hi'); });
    `;
    if (!(process.features as { require_module?: boolean }).require_module) return;
    expect(await script('suite.cjs', text)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('pass 1') as string,
    });
  });

  it('names the line of a source in a stack trace, with the option of Node for it', async () => {
    const text = `import { createSandbox } from 'messaging-sandbox';\nawait createSandbox({ clock: 'nonsense' });`;
    await writeFile(join(project, 'trace.mjs'), text);
    const { stderr } = await node('--enable-source-maps', 'trace.mjs');
    const [, file = '', line] = /messaging-sandbox\/(src\/[\w/-]+\.ts):(\d+):\d+/.exec(stderr) ?? [];
    expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toMatch(/throw|Error/);
  });

  it('prints what docs/tests.md shows for its first example', async () => {
    const [, example = '', output = ''] =
      /^```ts\n(.*?)^```.*?^```text\n(.*?)^```/ms.exec(readFileSync('docs/tests.md', 'utf8')) ?? [];
    expect(output).not.toBe('');
    expect(await script('first.mjs', example)).toStrictEqual({ code: 0, stdout: output, stderr: '' });
  });
});

describe('types', () => {
  /** A directive without an error does not compile, so nothing of the package is `any`. */
  const program = `
    import { connectSandbox, createSandbox, SandboxError, verifySignature } from 'messaging-sandbox';
    import type { Delivery, Event, Message, SandboxAccount, SandboxClient } from 'messaging-sandbox';
    // @ts-expect-error the package has no such function
    import { Nope } from 'messaging-sandbox';
    // @ts-expect-error the package has no such entry
    import { nope } from 'messaging-sandbox/nope';

    export async function main(): Promise<unknown> {
      const sandbox: SandboxClient = await createSandbox({ clock: 'x60', seed: 'a', scenario: ['flaky-api'] });
      const account: SandboxAccount = (await connectSandbox({ url: 'http://sandbox:4242', key: 'k' })).account('other');
      const status: 'sent' | 'delivered' | 'read' | 'failed' =
        (await account.waitFor.event({ type: 'message.status', timeout: '2s' })).data.status;
      const several: Delivery[] = await account.waitFor.delivery({ state: 'retrying', count: 2 });
      const messages: Message[] = await account.messages({ to: '+12025550123', order: 'desc' });
      const events: Event[] = await account.events();
      await account.clock.advance({ until: 'idle', max: '2d' });
      await account.emit('otp.verified', { to: '+12025550123' }, { webhook: { duplicate: 1 } });
      await account.customer('+12025550123').taps({ id: 'y', title: 'Yes' });
      const valid: boolean = verifySignature('whsec_x', new Uint8Array(), null);
      const code = (error: unknown): string => (error instanceof SandboxError ? error.code : 'none');
      const [sent] = await sandbox.requests({ operation: 'sendMessage' });
      await sandbox[Symbol.asyncDispose]();

      // @ts-expect-error a body has no such field
      sent!.request.body.too;
      // @ts-expect-error what was found is a text
      const found: number = (await sandbox.scenario.verdict()).checks[0]!.found;
      // @ts-expect-error there is no such clock
      await createSandbox({ clock: 'froze' });
      // @ts-expect-error there is no such option
      await createSandbox({ sead: 1 });
      // @ts-expect-error there is no such event
      await account.events({ type: 'message.sent' });
      // @ts-expect-error no message has such a status
      await account.messages({ status: 'delivred' });
      // @ts-expect-error no message has such a status
      await account.waitFor.message({ status: 'delivred' });
      await account.messages({ status: 'delivered,read' });
      // @ts-expect-error an account is not closed, its sandbox is
      await account.close();
      // @ts-expect-error one is waited for, so one comes
      (await account.waitFor.message()).length;
      // @ts-expect-error a rule has no such key
      await sandbox.rules.add({ when: 'message.send', than: {} });
      // @ts-expect-error an action has no such key
      await sandbox.rules.add({ when: 'message.send', then: { respond: { stauts: 503 } } });
      // @ts-expect-error a match has no such field
      await sandbox.rules.add({ when: 'message.send', match: { telephone: '+1*' }, then: {} });
      // @ts-expect-error nothing is expected of this name
      await sandbox.scenario.use({ version: 1, expect: [{ at: 'finish', that: 'calls', count: 1 }] });
      // @ts-expect-error a scenario has no such key
      await sandbox.scenario.use({ version: 1, rulez: [] });
      return [Nope, nope, code, events, found, messages, several, status, valid];
    }
  `;
  const entries = `
    import type { UseSandboxOptions } from 'messaging-sandbox/vitest';
    // @ts-expect-error the key is given by the test
    export const options: UseSandboxOptions = { clock: 'frozen', key: 'mine' };
  `;
  const compile = (options: object, files: readonly string[]) => {
    const quick = { noEmit: true, skipDefaultLibCheck: true };
    const settings = { target: 'es2022', lib: ['es2022'], types: [], strict: true, ...quick, ...options };
    return typeErrors(project, { compilerOptions: { ...settings, exactOptionalPropertyTypes: true }, files });
  };

  // Between the newest and the oldest way of finding them, our declarations themselves need no third look.
  const known = { skipLibCheck: true };
  it.each([
    ['Node', { module: 'nodenext', moduleResolution: 'nodenext' }, ['program.ts', 'program.cts', 'entries.cts']],
    ['Node 16', { module: 'node16', moduleResolution: 'node16', ...known }, ['program.ts', 'program.cts']],
    ['bundlers', { module: 'esnext', moduleResolution: 'bundler', ...known }, ['program.ts']],
    ['jest', { module: 'commonjs', moduleResolution: 'node10' }, ['program.cts', 'entries.cts']],
  ])('compile under strict as %s see them, and what does not exist is an error', async (_name, options, files) => {
    for (const name of files) await writeFile(join(project, name), name.startsWith('entries') ? entries : program);
    expect(compile(options, files)).toBe('');
  });

  it('name for require every value that the ES module has', () => {
    for (const entry of ['index', 'client/node-test', 'client/vitest']) {
      const values = [
        ...readFileSync(join(installed, `dist/${entry}.d.cts`), 'utf8').matchAll(/^export declare const (\w+)/gm),
      ];
      const source = readFileSync(join(installed, `dist/${entry}.js`), 'utf8');
      const exported = [...source.matchAll(/^export (?:\{ (.*?) \}|(?:async )?(?:function|const|class) (\w+))/gm)];
      const names = exported.flatMap(([, list, name = '']) => list?.split(', ') ?? [name]);
      expect(values.map(([, name]) => name).sort()).toStrictEqual(names.sort());
    }
  });

  // Here, the compiler has read most of the files that it needs.
  it('of the sample shop have no error', () => {
    expect(typeErrorsOf(resolve('examples/shop'), 'jsconfig.json')).toBe('');
  });

  it('compile for vitest and node:test too, and so does every example of docs/tests.md', async () => {
    await symlink(resolve('node_modules/vitest'), join(project, 'node_modules/vitest'));
    await mkdir(join(project, 'node_modules/@types'), { recursive: true });
    await symlink(resolve('node_modules/@types/node'), join(project, 'node_modules/@types/node')).catch(
      () => undefined,
    );
    const text = `
      import { test } from 'vitest';
      import { useSandbox } from 'messaging-sandbox/vitest';
      const sandbox = useSandbox({ clock: 'frozen', seed: 7 });
      useSandbox({ url: 'http://sandbox:4242', clock: 'frozen' });
      // @ts-expect-error the key is given by the test
      useSandbox({ key: 'mine' });
      test('one', async () => { const now: string = await sandbox.clock.now(); void now; });
    `;
    await writeFile(join(project, 'program.test.ts'), text);
    const other = `
      import test from 'node:test';
      import { useSandbox } from 'messaging-sandbox/node-test';
      const accountOf = useSandbox({ clock: 'frozen', seed: 7 });
      test('one', async (t) => { const now: string = await (await accountOf(t)).clock.now(); void now; });
    `;
    await writeFile(join(project, 'other.test.ts'), other);
    await writeFile(join(project, 'other.test.cts'), other);
    const blocks = [...readFileSync('docs/tests.md', 'utf8').matchAll(/^```ts\n(.*?)^```/gms)];
    expect(blocks.length).toBeGreaterThan(6);
    const examples = blocks.map(async ([, block = ''], i) => {
      // Those that make no sandbox go on with the one that was made before.
      const known = "import type { SandboxClient } from 'messaging-sandbox';\ndeclare const sandbox: SandboxClient;\n";
      const whole = /(?:const|using) sandbox =/.test(block) ? block : known + block;
      await writeFile(join(project, `example-${i}.ts`), `${whole}\nexport {};\n`);
      return `example-${i}.ts`;
    });
    // What vitest's own types need is not ours to judge.
    const options = { module: 'node16', moduleResolution: 'node16', skipLibCheck: true, types: ['node'] };
    const files = ['program.test.ts', 'other.test.ts', 'other.test.cts', ...(await Promise.all(examples))];
    expect(compile(options, files)).toBe('');
    const old = { ...options, module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true };
    expect(compile(old, ['other.test.cts'])).toBe('');
  });
});
