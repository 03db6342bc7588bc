/** A verdict in the forms of a report. That of a single account has the fields of a verdict, so that nothing is nested needlessly. */
import { accountsMarkdown, verdictMarkdown } from '../reports/verdict-markdown.js';
import { accountsJunit, verdictJunit, type AccountsVerdict } from '../reports/verdict.js';
import { accountLines, accountsSummary, verdictLines, verdictSummary } from './verdict-lines.js';

export function verdictJson(verdict: AccountsVerdict): object {
  const [only, ...more] = verdict.accounts;
  return more.length === 0 ? { ...only, ...verdict } : verdict;
}

/** @param base here and below: the address of the sandbox, if it is still running */
export function markdownOf(verdict: AccountsVerdict, base?: string): string {
  const [only, ...more] = verdict.accounts;
  return only && more.length === 0 ? verdictMarkdown(only, base) : accountsMarkdown(verdict, base);
}

export function junitOf(verdict: AccountsVerdict, base?: string): string {
  const [only, ...more] = verdict.accounts;
  return only && more.length === 0 ? verdictJunit(only, base) : accountsJunit(verdict, base);
}

/** Writes a verdict for people: the first line says the result. */
export function linesOf({ accounts }: AccountsVerdict, colour: boolean, base?: string): string[] {
  const [only, ...more] = accounts;
  if (only && more.length === 0)
    return [`scenario ${only.scenario} ${verdictSummary(only)}`, ...verdictLines(only, colour, base)];
  const names = [...new Set(accounts.map(({ scenario }) => scenario))].join(', ');
  return [`scenario ${names} ${accountsSummary(accounts)}`, ...accountLines(accounts, colour, base)];
}
