/** The report: for people, a line for each check; for programs, JSON and JUnit. None of them contains the secret. */
import { printableLine } from '../domain/printable.js';
import { junitXml } from '../reports/junit.js';
import type { Exchange } from './receiver-client.js';
import type { Certificate, Checked, Tally } from './run.js';

export interface Style {
  readonly colour: boolean;
}

const MARKS = { passed: ['32', '✓'], failed: ['31', '✗'], warning: ['33', '!'], skipped: ['2', '–'] } as const;

/** Returns the line of one check, followed by its details if it failed. */
export function checkLines(checked: Checked, { colour }: Style): string[] {
  const { check, result, found } = checked;
  const [code, mark] = MARKS[result === 'failed' && check.level === 'recommended' ? 'warning' : result];
  const paint = (text: string, how: string): string => (colour ? `\u001b[${how}m${text}\u001b[0m` : text);
  const level = check.level === 'recommended' ? ' (recommended)' : '';
  const head = `${paint(mark, code)} ${check.title}${level}  ${paint(check.id, '2')}`;
  if (result === 'passed') return [head];
  if (result === 'skipped') return [head, `    skipped   ${printableLine(found)}`];
  const rows = [
    ['sent', check.sends],
    ['expected', check.expects],
    ['found', printableLine(found)],
    ['why', check.why],
  ] as const;
  return [head, ...rows.map(([name, text]) => `    ${name.padEnd(8)}  ${text}`)];
}

/** Returns the summary at the end of a run. */
export function summaryLines(certificate: Certificate, { colour }: Style): string[] {
  const { certified, score, required } = certificate;
  const verdict = certified ? 'Certified' : 'Not certified';
  const painted = colour ? `\u001b[1;${certified ? '32' : '31'}m${verdict}\u001b[0m` : verdict;
  const skipped = certificate.checks.length - score.total;
  const aside = skipped === 0 ? '' : ` (${skipped} skipped)`;
  return [
    ...notes(certificate).map((note) => `Note: ${note}`),
    `${painted}: ${tallyWords(required)} required checks, ${tallyWords(score)} checks passed${aside}.`,
  ];
}

export function tallyWords({ passed, total }: Tally): string {
  return `${passed} of ${total}`;
}

/** Explanations that several failures share. */
export function notes({ checks, windowsOpen }: Certificate): string[] {
  const genuine = checks.filter(({ check }) => check.group === 'good events').flatMap(({ exchanges }) => exchanges);
  const everyOne = (statuses: readonly number[]): boolean =>
    genuine.length > 0 && genuine.every(({ outcome }) => statuses.includes(outcome.status ?? 0));
  if (everyOne([400, 401, 403])) {
    return [
      'the receiver rejected every correctly signed event. Does it use the secret of this run? ' +
        'The key is the whole text, "whsec_" included.',
    ];
  }
  const failedOn = (id: string): boolean =>
    checks.some(({ check, exchanges }) => {
      const statuses = exchanges.map(({ outcome }) => outcome.status ?? 0);
      return check.id === id && statuses.length > 0 && statuses.every((status) => status >= 500);
    });
  if (!windowsOpen && failedOn('accepts-message-received') && !failedOn('accepts-message-status')) {
    return [
      'the receiver failed on every message.received. If it replies to customers through the API, their windows are ' +
        'closed: add --secret-from with the sandbox that it calls, or start it with --app.',
    ];
  }
  if (everyOne([404, 405])) return ['nothing accepts a POST at this path. Give the exact URL of the webhook route.'];
  return [];
}

/** Number of bytes of a sent body in the JSON report; one check sends two megabytes. */
const SHOWN = 2_048;

export function certificateJson(certificate: Certificate) {
  const { url, seed, timeoutMs, certified, score, required, checks } = certificate;
  return {
    url,
    certified,
    score,
    required,
    seed,
    timeout_ms: timeoutMs,
    notes: notes(certificate),
    checks: checks.map(({ check, result, found, durationMs, exchanges }) => ({
      id: check.id,
      group: check.group,
      title: check.title,
      level: check.level,
      result,
      found,
      expected: check.expects,
      why: check.why,
      duration_ms: durationMs,
      exchanges: exchanges.map(shownExchange),
    })),
  };
}

function shownExchange({ label, outcome }: Exchange): object {
  const { request, response, status, durationMs, error, hint, sentTo } = outcome;
  return {
    label,
    sent_to: sentTo,
    status,
    duration_ms: durationMs,
    ...(error && { error }),
    ...(hint !== undefined && { hint }),
    request: {
      headers: request.headers,
      body: request.body.slice(0, SHOWN),
      bytes: Number(request.headers['content-length']),
    },
    ...(response && { response: { headers: response.headers, body: response.body.slice(0, SHOWN) } }),
  };
}

/** In JUnit, a failed recommended check is not a failure; the name of its case shows it. */
export function certificateJunit({ checks, url }: Certificate): string {
  return junitXml(
    `messaging-sandbox certify ${url}`,
    checks.map(({ check, result, found, durationMs }) => {
      const failed = result === 'failed';
      const unmet = failed && check.level === 'recommended';
      return {
        group: `certify.${check.group}`,
        name: `${check.title} (${check.id}${unmet ? `, recommendation not met: ${found}` : ''})`,
        seconds: durationMs / 1000,
        ...(result === 'skipped' && { skipped: found }),
        failure: failed && !unmet ? `expected: ${check.expects} found: ${found} why: ${check.why}` : null,
      };
    }),
  );
}
