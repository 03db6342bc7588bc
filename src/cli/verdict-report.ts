/** Formats a verdict as a report. For a single account, the fields of the verdict are not nested. */
import { counted } from '../domain/in-words.js';
import { printableLine } from '../domain/printable.js';
import {
  accountsJunit,
  accountsMarkdown,
  type AccountsVerdict,
  type AccountVerdict,
  verdictJunit,
  verdictMarkdown,
} from '../reports/verdict.js';
import type { FailedRecord, Verdict } from '../scenario/runtime/verdict.js';

export function verdictJson(verdict: AccountsVerdict): object {
  const [only, ...more] = verdict.accounts;
  return more.length === 0 ? { ...only, ...verdict } : verdict;
}

/** @param base the address of the sandbox, if it is still running */
export function markdownOf(verdict: AccountsVerdict, base?: string): string {
  const [only, ...more] = verdict.accounts;
  return only && more.length === 0 ? verdictMarkdown(only, base) : accountsMarkdown(verdict, base);
}

export function junitOf(verdict: AccountsVerdict, base?: string): string {
  const [only, ...more] = verdict.accounts;
  return only && more.length === 0 ? verdictJunit(only, base) : accountsJunit(verdict, base);
}

/** Writes a verdict for people: the first line is the result. */
export function linesOf({ accounts }: AccountsVerdict, colour: boolean, base?: string): string[] {
  const [only, ...more] = accounts;
  if (only && more.length === 0)
    return [`scenario ${only.scenario} ${verdictSummary(only)}`, ...verdictLines(only, colour, base)];
  const names = [...new Set(accounts.map(({ scenario }) => scenario))].join(', ');
  return [`scenario ${names} ${accountsSummary(accounts)}`, ...accountLines(accounts, colour, base)];
}

/**
 * Writes a verdict for people: a note, a line for each check with the expected and found values of a failed one, and
 * the skipped steps.
 * @param base the address of the sandbox, if it is still running, for links to the records that failed a check
 */
export function verdictLines(
  { checks, reason, note, warnings = [] }: Verdict,
  colour: boolean,
  base?: string,
): string[] {
  const lines = checks.flatMap(({ passed, at, that, expected, found, records = [] }) => [
    `  ${mark(passed, colour)} at ${at}: ${oneLine(that)}`,
    ...(passed ? [] : [`      expected: ${oneLine(expected)}`, `      found:    ${oneLine(found)}`]),
    ...recordLines(records, base),
  ]);
  const noted = note === undefined ? [] : [`  ${reason === undefined ? '!' : mark(false, colour)} ${note}`];
  return [...noted, ...lines, ...warnings.map((warning) => `  ! ${oneLine(warning)}`)];
}

/** Maximum number of addresses: the first ones are enough to understand a failure. */
const MOST_ADDRESSES = 3;

function recordLines(records: readonly FailedRecord[], base: string | undefined): string[] {
  if (records.length === 0) return [];
  if (base === undefined) return [`      records:  ${records.map(({ id }) => id).join(', ')}`];
  return records
    .slice(0, MOST_ADDRESSES)
    .map(({ page }, index) => `      ${index === 0 ? 'records:' : '        '}  ${printableLine(base + page)}`);
}

function mark(passed: boolean, colour: boolean): string {
  const sign = passed ? '✓' : '✗';
  return colour ? `\u001b[${passed ? 32 : 31}m${sign}\u001b[0m` : sign;
}

/** Shows a text by the author of a scenario or by an application on one line, without control characters. */
function oneLine(text: string): string {
  return printableLine(text.trim().replace(/\s+/g, ' '));
}

/** Returns `passed, 3 checks`, or how many failed. */
export function verdictSummary({ passed, reason, checks }: Verdict): string {
  const failed = checks.filter((check) => !check.passed).length;
  if (reason !== undefined && failed === 0) return 'failed: the application made no call';
  if (checks.length === 0) return 'passed, but there are no expectations';
  return passed
    ? `passed, ${counted(checks.length, 'check')}`
    : `failed, ${failed} of ${counted(checks.length, 'check')}`;
}

/** Writes the verdicts on several accounts: a line for each that passed, the details of the others. */
export function accountLines(verdicts: readonly AccountVerdict[], colour: boolean, base?: string): string[] {
  return verdicts.flatMap((verdict) => [
    `${mark(verdict.passed, colour)} ${printableLine(`${verdict.account}: ${verdictSummary(verdict)}`)}`,
    ...(verdict.passed ? [] : verdictLines(verdict, colour, base).map((line) => `  ${line}`)),
  ]);
}

/** Returns `passed in 3 accounts`, or in how many it failed. */
export function accountsSummary(verdicts: readonly AccountVerdict[]): string {
  const failed = verdicts.filter(({ passed }) => !passed).length;
  const all = counted(verdicts.length, 'account');
  return failed === 0 ? `passed in ${all}` : `failed in ${failed} of ${all}`;
}
