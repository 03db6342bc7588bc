/** Texts with what is reported of them, one to a line: `CONTEXT TEXT ⇒ LINE:COLUMN CODE PATH [WRONG → RIGHT]; …`. */
import { expect } from 'vitest';
import type { Problem } from '../../src/language/problems.js';
import { loadScenario } from '../../src/reader/load.js';

const slots: Readonly<Record<string, string>> = {
  'message.send': '{ inbound: { text: a } }',
  'webhook.deliver': '{ webhook: { drop: true } }',
  'template.review': '{ review: { status: approved } }',
};

const others = `rules:
  - { id: forge, when: webhook.deliver, then: { webhook: { signature: missing } } }
  - { id: busy, when: otp.send, then: { respond: { status: 503, code: too_busy } } }
  - { id: own, when: otp.verify, then: { respond: { status: 503, body: { error: { code: my_own } } } } }
  - { id: entry, when: message.send, then: { refuse: { code: not_today, message: Later. } } }
given: { templates: [{ name: order_shipped, category: utility, language: en, body: Hi }] }
`;
const stop = '{ id: stop, at: finish, that: messages, where: { text: STOP }, min: 1 }';
const narrow =
  '{ id: n, when: message.send, match: { phone: "+12025550101", type: text }, then: { lifecycle: stuck } }';

/** What stands around a text; any other word is the hook of a rule, which does something harmless if the text says nothing. */
const contexts: Readonly<Record<string, (text: string) => string>> = {
  file: (text) => text,
  part: (text) => `version: 1\n${text}\n`,
  rule: (text) => `version: 1\nrules:\n  - ${text}\n`,
  given: (text) =>
    `version: 1\ngiven: { templates: [{ name: order_shipped, category: utility, language: en, body: Hi }] }\nrules:\n  - { when: ${text}, then: { lifecycle: stuck } }\n`,
  behind: (text) => `version: 1\nrules:\n  - ${text}\n  - ${narrow}\n`,
  expect: (text) => `version: 1\nexpect:\n  - { at: finish, ${text} }\n${others}`,
  stop: (text) => `version: 1\nexpect:\n  - ${stop}\n  - { at: finish, ${text} }\n`,
};

function ruleAt(hook: string, text: string): string {
  const then = /\bthe?n?e?:/.test(text) ? '' : `, then: ${slots[hook] ?? '{ respond: { status: 500 } }'}`;
  return `version: 1\nrules:\n  - { when: ${hook}, ${text}${then} }\n`;
}

const SIGNS = { '⏎': '\n', '⇥': '\t', '␍': '\r' } as const;
const plain = (text: string) => text.replace(/[⏎⇥␍]/g, (sign) => SIGNS[sign as keyof typeof SIGNS]);
const signed = (text: string) => Object.entries(SIGNS).reduce((all, [sign, one]) => all.replaceAll(one, sign), text);
const linesOf = (text: string) => text.split(/\r\n|\r|\n/);

function load(text: string): { problems: readonly Problem[]; warnings: readonly Problem[] } {
  const base = 'version: 1\ngiven: { templates: [{ name: greeting, category: utility, language: en, body: Hi }] }\n';
  const resolve = (name: string) => (name === 'base' ? { file: 'base.yaml', text: base } : undefined);
  const result = loadScenario(text, { file: 'a.yaml', resolve });
  return { problems: 'problems' in result ? result.problems : [], warnings: result.warnings };
}

/** The words that differ. */
function change(line: string, fixed: string): string {
  const same = (part: string, at: (index: number) => number) => {
    let count = 0;
    while (count < part.length && line.at(at(count)) === fixed.at(at(count))) count += 1;
    return count;
  };
  const isWord = (sign: string | undefined) => sign !== undefined && /[\w.+-]/.test(sign);
  const shorter = line.length < fixed.length ? line : fixed;
  let start = same(shorter, (index) => index);
  let end = same(shorter.slice(start), (index) => -1 - index);
  while (start > 0 && isWord(line[start - 1])) start -= 1;
  while (end > 0 && isWord(line[line.length - end])) end -= 1;
  return `[${signed(line.slice(start, line.length - end))} → ${signed(fixed.slice(start, fixed.length - end))}]`;
}

function reportsOf(text: string): string {
  const { problems, warnings } = load(text);
  const shown = [...problems, ...warnings].map(({ line, column, code, path, suggestion, fixed }) => {
    const meant = fixed === undefined ? suggestion && `(${suggestion})` : change(linesOf(text)[line - 1] ?? '', fixed);
    return [`${line}:${column} ${code}`, path, meant].filter(Boolean).join(' ');
  });
  return shown.length === 0 ? 'fine' : shown.join('; ');
}

/** Puts corrected lines in place of those of the author, until there is none. */
function corrected(text: string): string {
  let now = text;
  for (let turn = 0; turn < 9; turn += 1) {
    const problem = load(now).problems.find(({ fixed }) => fixed !== undefined);
    if (problem?.fixed === undefined) break;
    now = linesOf(now)
      .toSpliced(problem.line - 1, 1, ...problem.fixed.split('\n'))
      .join('\n');
  }
  return now;
}

/** The texts of a table; what is reported of one may stand on the lines below it, indented. */
export function rowsOf(table: string): string[] {
  return table.trim().split(/\n(?=\S)/);
}

export function textOf(head: string): string {
  const [, context = '', text = ''] = /^(\S+) (.*)$/.exec(head) ?? [];
  return contexts[context]?.(plain(text)) ?? ruleAt(context, plain(text));
}

/** Checks all reports of a text: each is complete, and a corrected line solves its problem without causing another one. */
export function checkRow(row: string): void {
  const [head = '', ...below] = row.split('\n');
  const [start = '', inline] = head.split(' ⇒ ');
  const text = textOf(start);
  expect(reportsOf(text)).toBe(inline ?? below.map((line) => line.trim()).join('; '));
  const { problems } = load(text);
  for (const { message, found, allowed = '' } of problems) {
    expect(message).toMatch(/\.$/);
    expect(found).not.toBe('');
    expect(allowed).not.toBe('');
  }
  const unsolved = problems.filter(({ fixed }) => fixed === undefined);
  expect(load(corrected(text)).problems).toHaveLength(unsolved.length);
}
