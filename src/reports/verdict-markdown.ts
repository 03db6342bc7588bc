/** The verdict as Markdown, for summaries that people read (contract §8, exec). */
import type { Verdict } from '../scenario/runtime/judge-step.js';

export function verdictMarkdown({ scenario, passed, checks }: Verdict): string {
  const rows = checks.map(
    ({ passed: held, at, that, expected, found }) =>
      `| ${held ? '✅' : '❌'} | ${cell(at)} | ${cell(that)} | ${cell(expected)} | ${cell(found)} |`,
  );
  const table = ['| | At | What | Expected | Found |', '| --- | --- | --- | --- | --- |', ...rows];
  return [
    `# Verdict on ${scenario}: ${passed ? 'passed' : 'failed'}`,
    '',
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
