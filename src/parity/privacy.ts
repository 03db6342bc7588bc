/** Separates the words of a form, which may be written, from what belongs to a person or an account. */
import { apiCodes } from '../dialect/words.js';
import { shapes } from '../dialect/names.js';
import { channelErrors } from '../domain/errors.js';
import { eventTypes, messageStatuses, messageTypes, templateCategories, templateStatuses } from '../domain/words.js';
import { isInstant, isPart, isWord, leavesOf, unixForm } from './values.js';

/** The values in the requests of a capture. */
export type Sent = ReadonlySet<unknown>;

/** Words of the interface document, and those with which every program says that a call succeeded or failed. */
const ours: ReadonlySet<string> = new Set([
  ...Object.values(shapes).flatMap(({ names }) => Object.keys(names).flatMap((name) => [name, ...name.split('.')])),
  ...[...eventTypes, ...messageStatuses, ...messageTypes, ...templateCategories, ...templateStatuses],
  ...[...apiCodes, ...channelErrors.map(({ code }) => code)],
  ...['active', 'paused', 'message', 'otp', 'template', 'webhook'],
  ...['ok', 'success', 'error', 'fail', 'failure', 'removed', 'list', 'object'],
]);

export const isOurWord = (value: unknown): boolean => typeof value === 'string' && ours.has(value.toLowerCase());

/** Not a number, an address, an id, or a value that the application sent. */
export function isPropertyName(name: string, sent: Sent = new Set()): boolean {
  const parts = name.replace(/^\$/, '').split(/[_.-]+/);
  const isName = name !== '' && name.length <= 40 && parts.every((part) => isPart(part.replace(/\d{1,3}$/, '')));
  return isName && (isOurWord(name) || !sent.has(name));
}

/** A code of an error, which may have digits. */
export const isErrorCode = (value: string, sent: Sent): boolean =>
  /^[A-Za-z][\w.:-]{0,59}$/.test(value) && !/\d{5}/.test(value) && (isOurWord(value) || !sent.has(value));

/**
 * Part of the form are a flag, a word of the interface document, or a word or small number that is the
 * same in two bodies which are about different things, and that the application did not send.
 */
export function isConstant(value: unknown, key: string, bodies: readonly unknown[], sent: Sent): boolean {
  if (value === null || typeof value === 'boolean' || isOurWord(value)) return true;
  const isPrivate = /key|token|secret|account|tenant|user|customer|session|auth|name|city|mail/i.test(key);
  const isSmall = typeof value === 'number' && Math.abs(value) < 1000;
  const isPlain = typeof value === 'string' && /^(?:[a-z][a-z_.-]{0,23}|[A-Z][A-Z_]{0,23})$/.test(value);
  return (isSmall || isPlain) && !isPrivate && !sent.has(value) && areOfTwo(bodies);
}

/** Two bodies differ, and share no id, number or text. */
function areOfTwo(bodies: readonly unknown[]): boolean {
  const distinct = [...new Map(bodies.map((body) => [JSON.stringify(body), body])).values()].slice(0, 50);
  const own = distinct.map((body) => new Set(leavesOf(body).flatMap(({ value }) => (isOwn(value) ? [value] : []))));
  return own.some((one, index) => own.slice(index + 1).some((other) => [...one].every((value) => !other.has(value))));
}

const isOwn = (value: unknown): boolean =>
  typeof value === 'number'
    ? Math.abs(value) >= 1000 && unixForm(value) === null
    : typeof value === 'string' && !isWord(value) && !isInstant(value);
