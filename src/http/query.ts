/**
 * Query strings. A plus sign that starts a value is a phone number's, not a space: `?to=+12025550101` means what it says.
 */
import { parse, type ParsedUrlQuery } from 'node:querystring';

export function parseQuery(text: string | undefined): ParsedUrlQuery {
  return parse((text ?? '').replace(/=\+(?=\d)/g, '=%2B'));
}
