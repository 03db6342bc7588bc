/** The verdict as Markdown, for summaries that people read. */
import type { FailedRecord, Verdict } from '../scenario/runtime/judge-step.js';
import type { AccountsVerdict } from './verdict.js';

/**
 * Writes a section for each account.
 * @param base the address of the sandbox, if it is still running
 */
export function accountsMarkdown({ accounts }: AccountsVerdict, base?: string): string {
  return accounts.map((verdict) => verdictMarkdown(verdict, base, ` in ${cell(verdict.account)}`)).join('\n');
}

/** Writes a table of checks. A check that failed links to its records if there is a `base`. */
export function verdictMarkdown({ scenario, passed, checks, note }: Verdict, base?: string, where = ''): string {
  const rows = checks.map(
    ({ passed: held, at, that, expected, found, records = [] }) =>
      `| ${held ? '✅' : '❌'} | ${cell(at)} | ${cell(that)} | ${cell(expected)} | ${[cell(found), ...records.map((one) => linked(one, base))].join(' ')} |`,
  );
  const table = ['| | At | What | Expected | Found |', '| --- | --- | --- | --- | --- |', ...rows];
  return [
    `# Verdict on ${scenario}${where}: ${passed ? 'passed' : 'failed'}`,
    '',
    ...(note === undefined ? [] : [note, '']),
    ...(rows.length === 0 ? ['The scenario has no expectations.'] : table),
    '',
  ].join('\n');
}

function linked({ id, page }: FailedRecord, base: string | undefined): string {
  return base === undefined ? `\`${id}\`` : `[${id}](${base}${page})`;
}

/** A vertical bar would end the cell, a line break the row, and an angle bracket could start HTML. */
function cell(text: string): string {
  return text
    .replace(/\\/g, '\\\\')
    .replace(/\|/g, '\\|')
    .replace(/</g, '&lt;')
    .replace(/\s*\n\s*/g, ' ');
}
