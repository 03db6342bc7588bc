/**
 * Checks types and style, two programs at a time: `npm run check`. Each of them uses one core. Prints the output of those
 * that fail, and exits with 1.
 */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);
const checks: (readonly [name: string, program: string, ...args: string[]])[] = [
  ['style', resolve('eslint/package.json').replace('package.json', 'bin/eslint.js'), '.', '--max-warnings', '0'],
  ['types', resolve('typescript/bin/tsc'), '--noEmit'],
  ['types of the web UI', resolve('typescript/bin/tsc'), '--noEmit', '-p', 'src/ui/page'],
  ['format', resolve('prettier/bin/prettier.cjs'), '--check', '.', '--log-level', 'warn'],
];

async function work(): Promise<void> {
  for (let check = checks.shift(); check; check = checks.shift()) {
    const [name, program, ...args] = check;
    await new Promise<void>((done) => {
      execFile(process.execPath, [program, ...args], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
        if (error) {
          process.exitCode = 1;
          console.error(`${name}: failed\n${stdout}${stderr}`);
        }
        done();
      });
    });
  }
}

await Promise.all([work(), work()]);
