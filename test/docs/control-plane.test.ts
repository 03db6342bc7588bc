/** docs/api.md lists calls of the control plane that exist, and its examples run in the order of the page. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { closing } from '../support/closing.js';
import { examplesOf } from '../support/markdown.js';
import { controlSource, operationsOf, type Json } from '../support/openapi-document.js';
import { startTestSandbox } from '../support/sandbox.js';

const path = 'docs/api.md';
const [, page = ''] = readFileSync(path, 'utf8').split('## The control plane\n');

it('lists calls that exist', () => {
  const listed = [...page.matchAll(/`((?:GET|PUT|POST|DELETE) \/[^`]+)`/g)].map(([, call]) => call);
  const calls = operationsOf(JSON.parse(controlSource) as Json).map(({ call }) => call);
  expect(listed.length).toBeGreaterThan(12);
  expect(listed.filter((call) => !calls.includes(call ?? ''))).toStrictEqual([]);
});

it('shows examples that run as pasted', async () => {
  const examples = examplesOf(path, page).filter(({ note }) => note === 'call');
  expect(examples.length).toBeGreaterThan(2);
  const sandbox = closing(await startTestSandbox({}));
  for (const { body } of examples) {
    const command = body.replaceAll('curl ', 'curl -fsS ').replaceAll('http://127.0.0.1:4242', sandbox.url);
    await promisify(execFile)('sh', ['-ec', command]);
  }
});
