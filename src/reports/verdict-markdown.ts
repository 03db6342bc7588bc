/** The verdict as Markdown, for summaries that people read. */
import type { Verdict } from '../scenario/runtime/judge-step.js';
import type { AccountsVerdict } from './verdict.js';

/** A part for each account. */
export function accountsMarkdown({ accounts }: AccountsVerdict): string {
  return accounts.map((verdict) => verdictMarkdown(verdict, ` in ${cell(verdict.account)}`)).join('\n');
}

export function verdictMarkdown({ scenario, passed, checks, note }: Verdict, where = ''): string {
  const rows = checks.map(
    ({ passed: held, at, that, expected, found }) =>
      `| ${held ? '✅' : '❌'} | ${cell(at)} | ${cell(that)} | ${cell(expected)} | ${cell(found)} |`,
  );
  const table = ['| | At | What | Expected | Found |', '| --- | --- | --- | --- | --- |', ...rows];
  return [
    `# Verdict on ${scenario}${where}: ${passed ? 'passed' : 'failed'}`,
    '',
    ...(note === undefined ? [] : [note, '']),
    ...(rows.length === 0 ? ['The scenario expects nothing.'] : table),
    '',
  ].join('\n');
}

/** A bar would end the cell, a line break the row, and an angle bracket could begin HTML. */
function cell(text: string): string {
  return text
    .replace(/\\/g, '\\\\')
    .replace(/\|/g, '\\|')
    .replace(/</g, '&lt;')
    .replace(/\s*\n\s*/g, ' ');
}
