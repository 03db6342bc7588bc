/** No report contains the secret. */
import { printableLine } from '../domain/text.js';
import { junitXml } from '../reports/junit.js';
import type { Exchange } from './receiver.js';
import type { Certificate, Checked, Tally } from './run.js';

export interface Style {
  readonly colour: boolean;
}

const paint = (code: string, text: string, { colour }: Style): string =>
  colour ? `\u001b[${code}m${text}\u001b[0m` : text;

const MARKS = { passed: ['32', '✓'], failed: ['31', '✗'], warning: ['33', '!'], skipped: ['2', '–'] } as const;

export function checkLines({ check, result, found }: Checked, style: Style): string[] {
  const isAdvice = check.level === 'recommended';
  const [code, mark] = MARKS[result === 'failed' && isAdvice ? 'warning' : result];
  const title = `${check.title}${isAdvice ? ' (recommended)' : ''}`;
  const head = `${paint(code, mark, style)} ${title}  ${paint('2', check.id, style)}`;
  if (result === 'passed') return [head];
  const shown = printableLine(found);
  if (result === 'skipped') return [head, `    skipped   ${shown}`];
  const rows = { sent: check.sends, expected: check.expects, found: shown, why: check.why };
  return [head, ...Object.entries(rows).map(([name, text]) => `    ${name.padEnd(8)}  ${text}`)];
}

export function summaryLines(certificate: Certificate, style: Style): string[] {
  const { certified, score, required, checks } = certificate;
  const verdict = paint(`1;${certified ? '32' : '31'}`, certified ? 'Certified' : 'Not certified', style);
  const skipped = checks.length - score.total;
  const aside = skipped === 0 ? '' : ` (${skipped} skipped)`;
  return [
    ...notes(certificate).map((note) => `Note: ${note}`),
    `${verdict}: ${tallyWords(required)} required checks, ${tallyWords(score)} checks passed${aside}.`,
  ];
}

export function tallyWords({ passed, total }: Tally): string {
  return `${passed} of ${total}`;
}

export function notes({ checks, windowsOpen }: Certificate): string[] {
  const statusesOf = (chosen: (checked: Checked) => boolean): number[] =>
    checks.filter(chosen).flatMap(({ exchanges }) => exchanges.map(({ outcome }) => outcome.status ?? 0));
  const all = (statuses: number[], fit: (status: number) => boolean) => statuses.length > 0 && statuses.every(fit);
  const genuine = statusesOf(({ check }) => check.group === 'good events');
  const failedOn = (id: string) =>
    all(
      statusesOf(({ check }) => check.id === id),
      (status) => status >= 500,
    );
  if (all(genuine, (status) => [400, 401, 403].includes(status))) {
    return [
      'the receiver rejected every correctly signed event. Does it use the secret of this run? ' +
        'The key is the whole text, "whsec_" included.',
    ];
  }
  if (!windowsOpen && failedOn('accepts-message-received') && !failedOn('accepts-message-status')) {
    return [
      'the receiver failed on every message.received. If it replies to customers through the API, their windows are ' +
        'closed: leave out --secret, and name the sandbox that it calls with --url and --key.',
    ];
  }
  if (all(genuine, (status) => [404, 405].includes(status))) {
    return ['nothing accepts a POST at this path. Give the exact URL of the webhook route.'];
  }
  return [];
}

/** Number of bytes of a sent body in the JSON report; one check sends two megabytes. */
const SHOWN = 2_048;

export function certificateJson(certificate: Certificate) {
  const { url, timeoutMs, certified, score, required, checks } = certificate;
  return {
    url,
    certified,
    score,
    required,
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
  const { headers, body } = request;
  return {
    label,
    sent_to: sentTo,
    status,
    duration_ms: durationMs,
    error,
    hint,
    request: { headers, body: body.slice(0, SHOWN), bytes: Number(headers['content-length']) },
    response: response && { headers: response.headers, body: response.body.slice(0, SHOWN) },
  };
}

/** In JUnit, a failed recommended check is not a failure; the name of its case shows it. */
export function certificateJunit({ checks, url }: Certificate): string {
  const cases = checks.map(({ check, result, found, durationMs }) => {
    const failed = result === 'failed';
    const unmet = failed && check.level === 'recommended';
    return {
      group: `certify.${check.group}`,
      name: `${check.title} (${check.id}${unmet ? `, recommendation not met: ${found}` : ''})`,
      seconds: durationMs / 1000,
      ...(result === 'skipped' && { skipped: found }),
      failure: failed && !unmet ? `expected: ${check.expects} found: ${found} why: ${check.why}` : null,
    };
  });
  return junitXml([{ name: `messaging-sandbox certify ${url}`, cases }]);
}
