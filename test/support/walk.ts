/** Walks a page as a reader does: saves its files, runs its commands in one terminal, and compares what they print. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { cleanVariables } from './built-cli.js';
import { freePort } from './receivers.js';
import { type Example, examplesOf } from './markdown.js';

/** Returns the fenced examples of a page; the word after the language says what they are. */
export function shownOn(page: string): Example[] {
  return examplesOf(page, readFileSync(page, 'utf8'));
}

/** Returns a new folder with the files that a page asks its reader to save. */
export function savedFiles(examples: readonly Example[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'messaging-sandbox-walk-'));
  for (const { note, body } of examples) {
    const [, name] = /^file (\S+)$/.exec(note) ?? [];
    if (name !== undefined) writeFileSync(join(folder, name), body);
  }
  return folder;
}

/** A reader's terminal: variables and the folder stay from one command to the next. */
export interface Terminal {
  /**
   * Returns what the commands print, on both streams.
   * @param exitCode of the last command, which may fail; 0 means that none may
   * @throws Error if a command ends otherwise
   */
  run(commands: string, exitCode?: number): Promise<string>;
  close(): Promise<void>;
}

/** Opens a terminal in a folder; only where the sandbox, its command and an application are differs from the page. */
export async function openTerminal(url: string, folder: string): Promise<Terminal> {
  const port = String(await freePort());
  const env = { ...cleanVariables(), MESSAGING_BASE_URL: url, PORT: port };
  const child = spawn('sh', ['-e'], { cwd: folder, env, detached: true });
  const closed = once(child, 'close');
  let printed = '';
  let changed = (): void => undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
      changed();
    });
  }
  void closed.then(() => changed());
  child.stdin.write('exec 2>&1\n');
  const end = '<<end of the step>>';
  return {
    async run(commands, exitCode = 0) {
      const own = commands
        .replaceAll('http://127.0.0.1:4242', url)
        .replaceAll('http://localhost:3000', `http://localhost:${port}`)
        .replaceAll('npx messaging-sandbox', `"${process.execPath}" "${inject('cli').main}"`);
      printed = '';
      const checked = exitCode === 0 ? own : `code=0\n{ ${own}\n} || code=$?\n[ $code = ${exitCode} ]`;
      child.stdin.write(`${checked}\necho '${end}'\n`);
      while (!printed.includes(end)) {
        if (child.exitCode !== null) throw new Error(`${commands}\n${printed}`);
        await new Promise<void>((resolve) => (changed = resolve));
      }
      return printed.slice(0, printed.indexOf(end)).replaceAll(url, 'http://127.0.0.1:4242').trim();
    },
    async close() {
      // What a page started in the background ends with its terminal.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid);
      await closed;
    },
  };
}

/** Returns the expression that what is shown stands for: `…` is any text, and JSON may be laid out in another way. */
export function shownPattern(example: Example): RegExp {
  const escaped = comparable(example, example.body)
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('[^]*?')}$`);
}

/** Returns what was printed in the form that `shownPattern` compares. */
export function comparable({ language }: Example, printed: string): string {
  return language === 'json' ? printed.replace(/\s/g, '') : printed.trim();
}
