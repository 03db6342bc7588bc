/**
 * The command line inside the test's own process: much faster than a process, and equivalent except for signals and
 * start-up.
 */
import { expect } from 'vitest';
import { run } from '../../src/cli/program.js';
import { cleanVariables, type CliResult, type Variables } from './built-cli.js';

const signals = ['SIGTERM', 'SIGINT'] as const;

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command to its end, like `runCli`. Commands run one after another, because each uses the streams and the
 * variables of the process. A command that starts another program needs `runCli`, because the output of that program is
 * not captured here.
 */
export function runHere(args: readonly string[], env: Variables = {}): Promise<CliResult> {
  const result = last.then(() => captured(args, env));
  last = result.catch(() => undefined);
  return result;
}

async function captured(args: readonly string[], env: Variables): Promise<CliResult> {
  const { stdout, stderr, env: variables } = process;
  const [out, err] = [capture(stdout), capture(stderr)];
  const waiting = signals.map((signal) => new Set(process.listeners(signal)));
  process.env = { ...cleanVariables(), ...env };
  try {
    const code = await run(args);
    return { code, stdout: out.text(), stderr: err.text() };
  } finally {
    // A command waits for signals until its process ends, which this one does not.
    signals.forEach((signal, i) => {
      for (const one of process.listeners(signal)) if (!waiting[i]?.has(one)) process.off(signal, one);
    });
    process.env = variables;
    out.restore();
    err.restore();
  }
}

function capture(stream: NodeJS.WriteStream): { text(): string; restore(): void } {
  const chunks: string[] = [];
  const original = Object.getOwnPropertyDescriptor(stream, 'write');
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    const done = rest.at(-1);
    if (typeof done === 'function') process.nextTick(done);
    return true;
  };
  return {
    text: () => chunks.join(''),
    restore: () => {
      if (original) Object.defineProperty(stream, 'write', original);
      else Reflect.deleteProperty(stream, 'write');
    },
  };
}

/** A command line that is a usage error, found before any call: exit code 2, nothing on stdout, these parts on stderr, and no stack. */
export async function expectRejected(line: string, parts: readonly string[]): Promise<void> {
  const words = line.match(/'[^']*'|\S+/g) ?? [];
  const args = words.map((word) => word.replace(/^'(.*)'$/, '$1'));
  const { code, stdout, stderr } = await runHere(args, { MESSAGING_BASE_URL: 'http://127.0.0.1:9' });
  expect({ code, stdout }).toStrictEqual({ code: 2, stdout: '' });
  for (const part of parts) expect(stderr).toContain(part);
  expect(stderr).not.toContain('    at ');
}
