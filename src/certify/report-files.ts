/** The report for programs: JSON with every exchange, and JUnit for CI services. Neither contains the secret. */
import { junitXml } from '../reports/junit.js';
import type { Exchange } from './receiver-client.js';
import { notes } from './report.js';
import type { Certificate } from './run.js';

/** Bytes of a sent body that the JSON report shows; one check sends two megabytes. */
const SHOWN = 2_048;

export function certificateJson(certificate: Certificate): object {
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
    request: { headers: request.headers, body: request.body.slice(0, SHOWN), bytes: Buffer.byteLength(request.body) },
    ...(response && { response: { headers: response.headers, body: response.body.slice(0, SHOWN) } }),
  };
}

/** A failed recommended check is not a failure in JUnit; it shows in the name of its case. */
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
