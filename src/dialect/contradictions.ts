import { eventTypes } from '../domain/words.js';
import type { Dialect } from './description.js';
import { shapes, type ShapeKey } from './names.js';
import { type Json, repaired, usesOf } from './template.js';
import { apiCodes } from './words.js';

/** Codes that section 7 of the interface document names. */
const namedCodes: readonly string[] = ['no_default_otp_template', 'send_failed', 'otp_max_attempts', 'otp_expired'];

/**
 * Each contradiction has the key to look at.
 * @param file every setting of the file, also those whose value is invalid
 * @param dialect without the invalid ones
 */
export function contradictions(
  file: Readonly<Record<string, unknown>>,
  dialect: Dialect,
): [key: string, message: string][] {
  const { http, errors, webhooks } = dialect;
  const found: [string, string][] = [];
  const both = (one: string, other: string) => one in file && other in file;
  if (both('errors.envelope', 'errors.shape'))
    found.push(['errors.envelope', 'errors.envelope and errors.shape are both set; keep errors.shape']);
  const header = Object.keys(file).find((key) => key.startsWith('webhooks.headers.') && file[key] !== null);
  if (!webhooks.extra_headers && header !== undefined)
    found.push([header, `${header} names a header, but webhooks.extra_headers is false; keep webhooks.headers`]);
  const { 'http.deleted.status': status = http.deleted.status } = file;
  if (status === 204 && 'http.deleted.body' in file)
    found.push(['http.deleted.body', 'http.deleted.body: 204 has no body; set http.deleted.status to 200']);
  for (const code of namedCodes) {
    const key = `errors.codes.${code}`;
    if (key in file && file[key] !== code)
      found.push([key, `${key}: section 7 of the interface document names this code, so it cannot be renamed`]);
  }
  for (const [code, theirs] of Object.entries(errors.codes)) {
    const key = `errors.codes.${code}`;
    const same = apiCodes.find((each) => each !== code && (errors.codes[each] ?? each) === theirs);
    if (same !== undefined)
      found.push([key, `${key}: ${theirs} is also the code of ${same}, so nobody could tell them apart; use another`]);
  }
  const names = Object.entries(webhooks.headers).map(([key, name]) => [key, name?.toLowerCase()] as const);
  for (const [index, [key, name]] of names.entries())
    if (name !== undefined && names.slice(0, index).some(([, other]) => other === name))
      found.push([`webhooks.headers.${key}`, `webhooks.headers.${key}: another header is named ${name}, too`]);
  const hasHeader = webhooks.extra_headers && webhooks.headers.event !== null;
  const uses = (key: ShapeKey, name: string) =>
    key in file && usesOf(repaired(file[key] as Json, shapes[key].names)).some((use) => use.name === name);
  const inData = eventTypes.every((type) => uses(`events.${type}`, 'event.type'));
  if ('webhooks.shape' in file && !uses('webhooks.shape', 'type') && !hasHeader && !inData)
    found.push([
      'webhooks.shape',
      'webhooks.shape: loses type, which section 6 of the interface document names; add {type}, {event.type} in each of events, or a header in webhooks.headers.event',
    ]);
  return found;
}
