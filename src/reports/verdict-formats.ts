/** For a single account, the fields of the verdict are not nested. */
import { counted, printableLine } from '../domain/text.js';
import { MOST_RECORDS } from '../rules/expectations.js';
import type { FailedRecord, Verdict, VerdictCheck } from '../stage/verdict.js';
import type { AccountsVerdict, AccountVerdict } from '../stage/verdicts.js';
import { junitXml, type TestCase, type TestSuite } from './junit.js';

export type { AccountsVerdict, AccountVerdict };

export function verdictJson(verdict: AccountsVerdict): object {
  const [only, ...more] = verdict.accounts;
  return more.length === 0 ? { ...only, ...verdict } : verdict;
}

/** `base` is the address of the sandbox, if it is still running. */
export function junitOf(verdict: AccountsVerdict, base?: string): string {
  const nobody = { group: 'verdict', name: 'an account takes part', failure: noPart(verdict) };
  const suites = accountSuites(verdict.accounts, base);
  return junitXml(verdict.reason === undefined ? suites : [{ name: 'verdict', cases: [nobody] }, ...suites]);
}

const noPart = ({ apart = 0 }: AccountsVerdict) =>
  `No account took part: in ${counted(apart, 'account')} no rule applied, no step was played and no check found a record.`;

const apartLine = ({ apart = 0 }: AccountsVerdict) =>
  `${counted(apart, 'account')} with the scenario did not take part: no rule applied there, and no check found a record.`;

export function accountSuites(verdicts: readonly AccountVerdict[], base?: string): TestSuite[] {
  return verdicts.map((verdict) => {
    const note = notesOf(verdict);
    const name = verdicts.length === 1 ? verdict.scenario : `${verdict.account}: ${verdict.scenario}`;
    return { name, cases: verdictCases(verdict, base), ...(note !== undefined && { note }) };
  });
}

function notesOf({ note, warnings = [] }: Pick<Verdict, 'note' | 'warnings'>): string | undefined {
  const notes = [...(note === undefined ? [] : [note]), ...warnings];
  return notes.length === 0 ? undefined : notes.join('\n');
}

const words = {
  no_calls: { summary: 'the application made no call', wanted: 'the application makes calls' },
  none_accepted: { summary: 'the application accepted no event', wanted: 'the application accepts events' },
} as const satisfies Record<NonNullable<Verdict['reason']>, object>;

/** The case fails if the application took no part. */
function verdictCases({ scenario, checks, reason, note = '' }: Verdict, base?: string): TestCase[] {
  const cases = checks.map((check) => {
    const { passed, at, expected, found, records = [] } = check;
    return {
      group: `${scenario} at ${at}`,
      name: titleOf(check),
      failure: passed ? null : `expected ${expected}; found ${found}`,
      details: records.map(({ text, page }) => (base === undefined ? text : `${text} ${base}${page}`)),
    };
  });
  return reason === undefined ? cases : [{ group: scenario, name: words[reason].wanted, failure: note }, ...cases];
}

/** The author's explanation comes first, then the condition. */
function titleOf({ that, expected, because }: VerdictCheck): string {
  return oneLine(because === undefined ? `${that}: ${expected}` : `${because} (${that}: ${expected})`);
}

export function markdownOf(all: AccountsVerdict, base?: string): string {
  const { accounts, reason, apart } = all;
  const where = (account: string) => (accounts.length === 1 ? '' : ` in ${cell(account)}`);
  if (reason !== undefined) return `# Verdict: failed\n\n${noPart(all)}\n`;
  const sections = accounts.map((verdict) => verdictMarkdown(verdict, base, where(verdict.account)));
  return [...sections, ...(apart === undefined ? [] : [`${apartLine(all)}\n`])].join('\n');
}

/** A failed check links to its records if there is a `base`. */
function verdictMarkdown(verdict: Verdict, base: string | undefined, where: string): string {
  const { scenario, passed, checks } = verdict;
  const rows = checks.map(({ passed: held, at, that, because, expected, found, records = [] }) => {
    const what = because === undefined ? that : `${because} (${that})`;
    const facts = [cell(found), ...records.map((one) => linked(one, base))].join('<br>');
    return `| ${held ? '✅' : '❌'} | ${cell(at)} | ${cell(what)} | ${cell(expected)} | ${facts} |`;
  });
  const table = ['| | At | What | Expected | Found |', '| --- | --- | --- | --- | --- |', ...rows];
  const notes = notesOf(verdict);
  return [
    `# Verdict on ${cell(scenario)}${where}: ${passed ? 'passed' : 'failed'}`,
    '',
    ...(notes === undefined ? [] : [cell(notes), '']),
    ...(rows.length === 0 ? ['The scenario has no expectations.'] : table),
    '',
  ].join('\n');
}

function linked({ text, page }: FailedRecord, base: string | undefined): string {
  const said = cell(text);
  return base === undefined ? said : `[${said.replace(/[[\]]/g, '\\$&')}](${base}${page})`;
}

/** A vertical bar would end the cell, a line break the row, and an angle bracket could start HTML. */
function cell(text: string): string {
  return text
    .replace(/\\/g, '\\\\')
    .replace(/\|/g, '\\|')
    .replace(/</g, '&lt;')
    .replace(/\s*\n\s*/g, ' ');
}

/** The first line is the result. */
export function linesOf(all: AccountsVerdict, colour: boolean, base?: string): string[] {
  const { accounts, reason, apart } = all;
  if (reason !== undefined) return [`verdict failed`, `  ${mark(false, colour)} ${noPart(all)}`];
  const names = [...new Set(accounts.map(({ scenario }) => scenario))].join(', ');
  return [
    `scenario ${names} ${summaryOf(accounts)}`,
    ...detailLines(accounts, colour, base),
    ...(apart === undefined ? [] : [`  ! ${apartLine(all)}`]),
  ];
}

/** An account that passed has one line, unless it is the only account. */
export function detailLines(verdicts: readonly AccountVerdict[], colour: boolean, base?: string): string[] {
  return verdicts.flatMap((verdict) => {
    const lines = verdictLines(verdict, colour, base);
    if (verdicts.length === 1) return lines;
    const head = printableLine(`${verdict.account}: ${summaryOf([verdict])}`);
    return [`${mark(verdict.passed, colour)} ${head}`, ...(verdict.passed ? [] : lines.map((line) => `  ${line}`))];
  });
}

function verdictLines(verdict: Verdict, colour: boolean, base?: string): string[] {
  const { checks, reason, note, warnings = [] } = verdict;
  const lines = checks.flatMap(({ passed, at, that, because, expected, found, records = [] }) => {
    const condition = passed ? `${that}: ${expected}` : that;
    return [
      `  ${mark(passed, colour)} at ${at}: ${oneLine(because === undefined ? condition : `${because} (${that})`)}`,
      ...(passed ? [] : [`      expected: ${oneLine(expected)}`, `      found:    ${oneLine(found)}`]),
      ...recordLines(records, base),
    ];
  });
  const noted = note === undefined ? [] : [`  ${reason === undefined ? '!' : mark(false, colour)} ${note}`];
  return [...noted, ...lines, ...warnings.map((warning) => `  ! ${oneLine(warning)}`)];
}

/** Maximum number of records that a terminal shows: the first ones are enough to understand a failure. */
const MOST_SHOWN = 3;

function recordLines(records: readonly FailedRecord[], base: string | undefined): string[] {
  const indent = ' '.repeat(16);
  const lines = records
    .slice(0, MOST_SHOWN)
    .flatMap(({ text, page }) => [oneLine(text), ...(base === undefined ? [] : [printableLine(base + page)])]);
  const left = records.length - MOST_SHOWN;
  if (left > 0) lines.push(`and ${left === MOST_RECORDS - MOST_SHOWN ? 'more' : left}`);
  return lines.map((line, index) => (index === 0 ? `      records:  ${line}` : `${indent}${line}`));
}

function mark(passed: boolean, colour: boolean): string {
  const sign = passed ? '✓' : '✗';
  return colour ? `\u001b[${passed ? 32 : 31}m${sign}\u001b[0m` : sign;
}

/** The author of a scenario, or an application, wrote the text. */
function oneLine(text: string): string {
  return printableLine(text.trim().replace(/\s+/g, ' '));
}

/** `passed, 3 checks`, or the number of failed checks and accounts. */
export function summaryOf(verdicts: readonly Verdict[]): string {
  const [only, ...more] = verdicts;
  if (only === undefined || more.length > 0) {
    const broken = verdicts.filter(({ passed }) => !passed).length;
    const all = counted(verdicts.length, 'account');
    return broken === 0 ? `passed in ${all}` : `failed in ${broken} of ${all}`;
  }
  const { passed, reason, checks } = only;
  const failed = checks.filter((check) => !check.passed).length;
  if (reason !== undefined && failed === 0) return `failed: ${words[reason].summary}`;
  if (checks.length === 0) return 'passed, but there are no expectations';
  const all = counted(checks.length, 'check');
  return passed ? `passed, ${all}` : `failed, ${failed} of ${all}`;
}
