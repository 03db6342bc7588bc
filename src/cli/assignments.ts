import { parseJson } from '../client/connection.js';
import { UsageError } from './failure.js';

const SHAPE = /^([^=:]+)(:?=)(.*)$/s;
const FORBIDDEN = ['__proto__', 'constructor', 'prototype'];

/** The JSON value of `=` for fields that cannot be a text. */
const PLAIN_JSON = /^(?:-?\d+|true|false|null)$/;

/**
 * Builds an object from `path=text` and `path:=json` assignments, with dots between the names. Plain `=` gives a text
 * if the field can be one: a value such as `42` is a valid message, and guessing its type would change the data that
 * the receiver gets.
 * @param roots the first names that are allowed
 * @param notText paths of fields whose numbers, true, false and null are never texts
 * @throws CliFailure (2)
 */
export function assign(
  assignments: readonly string[],
  roots: readonly string[],
  notText: RegExp,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const assignment of assignments) {
    const [, path = '', operator = '=', text = ''] = SHAPE.exec(assignment) ?? [];
    const fail = (reason: string): never => {
      throw new UsageError(
        `--set: "${assignment}" ${reason}. Write data.text=hello for a text, or data.error:=null for any JSON value; ` +
          `the path starts with ${roots.join(' or ')}.`,
      );
    };
    const names = path.split('.');
    if (path === '') fail('has no path and "="');
    if (!roots.includes(names[0] ?? '')) fail(`sets "${names[0] ?? ''}", which is not a part of the call`);
    if (names.some((name) => name === '' || FORBIDDEN.includes(name))) fail('has a path that leads nowhere');
    const isJson = operator === ':=' || (notText.test(path) && PLAIN_JSON.test(text));
    const value = isJson ? parseJson(text) : text;
    if (value === undefined) fail(`has the value "${text}", which is not JSON`);
    let at = result;
    for (const name of names.slice(0, -1)) {
      const next = (at[name] ??= {});
      if (typeof next !== 'object') fail(`goes through "${name}", which already holds a value`);
      at = next as Record<string, unknown>;
    }
    at[names.at(-1) ?? ''] = value;
  }
  return result;
}
