/** The signature checks in docs/webhooks.md accept genuine events and reject all others, in each language. */
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { go } from '../support/languages.js';
import { examplesOf } from '../support/markdown.js';
import { has, run } from '../support/package.js';

const page = 'docs/webhooks.md';
const shown = examplesOf(page, readFileSync(page, 'utf8'));
const body = '{"type":"message.status","text":"ü"}';
const header = `sha256=${createHmac('sha256', 'whsec_x').update(body).digest('hex')}`;

/** Secret, body and header, and whether they are genuine. */
const cases: [secret: string, body: string, header: string, genuine: boolean][] = [
  ['whsec_x', body, header, true],
  ['whsec_y', body, header, false],
  ['whsec_x', '{}', header, false],
  ['whsec_x', body, '', false],
  ['whsec_x', body, header.slice(0, -1), false],
  ['whsec_x', body, header.slice(7), false],
];
const wanted = cases.map(([, , , genuine]) => genuine);

const programs = {
  js: {
    needs: ['node', '--version'],
    file: 'verify.mjs',
    ask: `const cases = JSON.parse(process.argv[2]);
console.log(JSON.stringify(cases.map(([secret, body, header]) => isGenuine(secret, Buffer.from(body), header))));
if (isGenuine('whsec_x', Buffer.from('{}'), undefined)) throw new Error('without a header');`,
    start: (cases: string, cwd: string) => run('node', ['verify.mjs', cases], { cwd }),
  },
  python: {
    needs: ['python3', '--version'],
    file: 'verify.py',
    ask: `import json, sys
print(json.dumps([is_genuine(secret, body.encode(), header) for secret, body, header, _ in json.loads(sys.argv[1])]))
assert not is_genuine("whsec_x", b"{}", None)`,
    start: (cases: string, cwd: string) => run('python3', ['verify.py', cases], { cwd }),
  },
  go: {
    needs: ['go', 'version'],
    file: 'main.go',
    ask: `func main() {
	var cases [][]any
	if err := json.Unmarshal([]byte(os.Args[1]), &cases); err != nil {
		panic(err)
	}
	genuine := []bool{}
	for _, each := range cases {
		genuine = append(genuine, IsGenuine(each[0].(string), []byte(each[1].(string)), each[2].(string)))
	}
	json.NewEncoder(os.Stdout).Encode(genuine)
}`,
    start: (cases: string, cwd: string) => go(['run', 'main.go', cases], cwd),
  },
} as const;

it.for(Object.keys(programs) as (keyof typeof programs)[])('%s', { timeout: 180_000 }, async (language, { skip }) => {
  const { needs, file, ask, start } = programs[language];
  const [needed, version] = needs;
  if (!(await has(needed, version))) {
    const note = `NOT RUN: the signature check of ${page} in ${language}, because ${needed} is not installed`;
    process.stderr.write(`${note}\n`);
    skip(note);
  }
  const [program] = shown.filter((each) => each.language === language);
  // In Go, a separate program: another package, and two more imports.
  const source = program!.body
    .replace('package receiver', 'package main')
    .replace('import (', 'import (\n\t"encoding/json"\n\t"os"');
  const folder = mkdtempSync(join(tmpdir(), 'messaging-sandbox-verify-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, file), `${source}\n${ask}\n`);
  const ran = await start(JSON.stringify(cases), folder);
  expect(ran.stderr).toBe('');
  expect(JSON.parse(ran.stdout)).toStrictEqual(wanted);
});
