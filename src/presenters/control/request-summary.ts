/** What a call was about and its result, in a few words: lists show them in place of the bodies. */
import { bodyOf } from '../../domain/request.js';
import type { RequestRecord } from '../../domain/rows.js';

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** Longest summary, in characters. */
const longest = 200;

export function summaryOf({ request, response, status }: RequestRecord): { about?: string; result?: string } {
  const about = aboutOf(fieldsOf(bodyOf(request)));
  // A response that a fault suppressed is not shown.
  const result = status === null ? undefined : resultOf(fieldsOf(bodyOf(response)));
  return {
    ...(about !== undefined && { about: about.slice(0, longest) }),
    ...(result !== undefined && { result: result.slice(0, longest) }),
  };
}

/** The recipient, or the name of what was called. */
function aboutOf({ to, name, url, otp_id: code }: Fields): string | undefined {
  if (Array.isArray(to)) return `${to.length} recipients`;
  return [to, name, url, code].find((each) => typeof each === 'string');
}

/** Why the call was rejected, that a code was wrong, or how much of a batch failed. */
function resultOf({ error, valid, attempts_remaining: left, results }: Fields): string | undefined {
  const { message } = fieldsOf(error);
  if (typeof message === 'string') return message;
  if (valid === false) return `Wrong code, ${String(left)} ${left === 1 ? 'attempt' : 'attempts'} left`;
  if (!Array.isArray(results)) return undefined;
  const failed = results.filter((each) => fieldsOf(each)['ok'] === false).length;
  return failed === 0 ? undefined : `${failed} of ${results.length} recipients failed`;
}
