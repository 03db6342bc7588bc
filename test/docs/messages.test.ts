/** The messages in docs/troubleshooting.md are those that the sandbox prints: each is caused here. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { examplesOf } from '../support/markdown.js';
import { failedAttempts } from './failed-attempts.js';
import { failedCommands } from './failed-commands.js';
import { refusedCalls } from './refused-calls.js';

const page = 'docs/troubleshooting.md';
const source = readFileSync(page, 'utf8');
const quoted = examplesOf(page, source)
  .filter(({ note }) => note.startsWith('message '))
  .map(({ note, body }) => [note.slice('message '.length), body.trimEnd()] as const);
const causes = { ...failedCommands, ...refusedCalls, ...failedAttempts };

describe('the messages of docs/troubleshooting.md', () => {
  it('are twenty, numbered in order, and each can be caused', () => {
    const numbers = [...source.matchAll(/^### (\d+)\. /gm)].map(([, number]) => Number(number));
    expect(numbers).toStrictEqual(Array.from({ length: 20 }, (_none, index) => index + 1));
    expect(quoted.map(([id]) => id).sort()).toStrictEqual(Object.keys(causes).sort());
  });

  it.each(quoted)('%s is what is said', async (id, words) => {
    expect(await causes[id]?.()).toContain(words);
  });
});
