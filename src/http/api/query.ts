/**
 * Query strings. A plus sign that starts a value is a phone number's, not a space: `?to=+12025550101` means what it says.
 */
import { parse, type ParsedUrlQuery } from 'node:querystring';

export function parseQuery(text: string | undefined): ParsedUrlQuery {
  return parse((text ?? '').replace(/=\+(?=\d)/g, '=%2B'));
}

/** What stands before the question mark of a request's target. */
export function pathOf(target: string): string {
  const start = target.indexOf('?');
  return start < 0 ? target : target.slice(0, start);
}

/** What stands behind the question mark of a request's target; empty where there is none. */
export function queryText(target: string): string {
  const start = target.indexOf('?');
  return start < 0 ? '' : target.slice(start + 1);
}
