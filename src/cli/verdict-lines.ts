import { printableLine } from '../domain/printable.js';
import type { Verdict } from '../scenario/runtime/judge-step.js';
import type { AccountVerdict } from '../reports/verdict.js';
import { counted } from '../domain/counted.js';

/** A verdict for people: a note, a line per check, below a failed one what was expected and what was found; then what was passed over. */
export function verdictLines({ checks, reason, note, warnings = [] }: Verdict, colour: boolean): string[] {
  const lines = checks.flatMap(({ passed, at, that, expected, found }) => [
    `  ${mark(passed, colour)} at ${at}: ${oneLine(that)}`,
    ...(passed ? [] : [`      expected: ${oneLine(expected)}`, `      found:    ${oneLine(found)}`]),
  ]);
  const noted = note === undefined ? [] : [`  ${reason === undefined ? '!' : mark(false, colour)} ${note}`];
  return [...noted, ...lines, ...warnings.map((warning) => `  ! ${oneLine(warning)}`)];
}

function mark(passed: boolean, colour: boolean): string {
  const sign = passed ? '✓' : '✗';
  return colour ? `\u001b[${passed ? 32 : 31}m${sign}\u001b[0m` : sign;
}

/** A text of a scenario's author or an application's: on one line, and with nothing in it that speaks to the terminal. */
function oneLine(text: string): string {
  return printableLine(text.trim().replace(/\s+/g, ' '));
}

/** `passed, 3 checks`, or how many did not. */
export function verdictSummary({ passed, reason, checks }: Verdict): string {
  const failed = checks.filter((check) => !check.passed).length;
  if (reason !== undefined && failed === 0) return 'failed, the application made no call';
  if (checks.length === 0) return 'passed, but nothing is expected';
  return passed
    ? `passed, ${counted(checks.length, 'check')}`
    : `failed, ${failed} of ${counted(checks.length, 'check')}`;
}

/** The verdicts on several accounts: those that passed in a line, the others whole. */
export function accountLines(verdicts: readonly AccountVerdict[], colour: boolean): string[] {
  return verdicts.flatMap((verdict) => [
    `${mark(verdict.passed, colour)} ${printableLine(`${verdict.account}: ${verdictSummary(verdict)}`)}`,
    ...(verdict.passed ? [] : verdictLines(verdict, colour).map((line) => `  ${line}`)),
  ]);
}

/** `passed in 3 accounts`, or in how many it did not. */
export function accountsSummary(verdicts: readonly AccountVerdict[]): string {
  const failed = verdicts.filter(({ passed }) => !passed).length;
  const all = counted(verdicts.length, 'account');
  return failed === 0 ? `passed in ${all}` : `failed in ${failed} of ${all}`;
}
