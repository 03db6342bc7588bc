/** What a run says to people: a line per check as it ends, what to do about those that failed, and the score. */
import type { Certificate, Checked, Tally } from './run.js';

export interface Style {
  readonly colour: boolean;
}

const MARKS = { passed: ['32', '✓'], failed: ['31', '✗'], advice: ['33', '!'], skipped: ['2', '–'] } as const;

/** The line of one check, with its particulars below when it failed. */
export function checkLines(checked: Checked, { colour }: Style): string[] {
  const { check, result, found } = checked;
  const [code, mark] = MARKS[result === 'failed' && check.level === 'advice' ? 'advice' : result];
  const paint = (text: string, how: string): string => (colour ? `\u001b[${how}m${text}\u001b[0m` : text);
  const level = check.level === 'advice' ? ' (advice)' : '';
  const head = `${paint(mark, code)} ${check.title}${level}  ${paint(check.id, '2')}`;
  if (result === 'passed') return [head];
  if (result === 'skipped') return [head, `    skipped   ${printable(found)}`];
  const rows = [
    ['sent', check.sends],
    ['expected', check.expects],
    ['found', printable(found)],
    ['why', check.why],
  ] as const;
  return [head, ...rows.map(([name, text]) => `    ${name.padEnd(8)}  ${text}`)];
}

/** What a stranger answered must not steer the terminal it is printed on. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
}

/** The end of a run. */
export function summaryLines(certificate: Certificate, { colour }: Style): string[] {
  const { certified, score, must } = certificate;
  const verdict = certified ? 'Certified' : 'Not certified';
  const painted = colour ? `\u001b[1;${certified ? '32' : '31'}m${verdict}\u001b[0m` : verdict;
  const skipped = certificate.checks.length - score.total;
  const aside = skipped === 0 ? '' : ` (${skipped} skipped)`;
  return [
    ...notes(certificate).map((note) => `Note: ${note}`),
    `${painted}: ${tallyWords(must)} must-haves, ${tallyWords(score)} checks passed${aside}.`,
  ];
}

export function tallyWords({ passed, total }: Tally): string {
  return `${passed} of ${total}`;
}

/** What several failures have in common. */
export function notes({ checks }: Certificate): string[] {
  const genuine = checks.filter(({ check }) => check.group === 'good events').flatMap(({ exchanges }) => exchanges);
  const everyOne = (statuses: readonly number[]): boolean =>
    genuine.length > 0 && genuine.every(({ outcome }) => statuses.includes(outcome.status ?? 0));
  if (everyOne([400, 401, 403])) {
    return [
      'every rightly signed event was refused. Does the receiver hold the secret that this run signs with? ' +
        'The key is the whole text, "whsec_" included.',
    ];
  }
  if (everyOne([404, 405])) return ['nothing takes a POST at this path; name the exact URL of the webhook route.'];
  return [];
}
