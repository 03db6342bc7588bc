/** Turns the issues of zod into problems: where, what is wrong, what is allowed and what was probably meant. */
import { isAlias, isScalar } from '../../domain/yaml.js';
import type { z } from 'zod';
import { about, type About, type Schema } from '../schema/kit.js';
import type { Report } from '../schema/problems.js';
import type { Place, Reading } from './place.js';
import { joinPath } from './yaml.js';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

export function reportIssues(issues: readonly Issue[], reading: Reading): void {
  for (const issue of issues) reportIssue(issue, reading);
}

function reportIssue(issue: Issue, reading: Reading): void {
  const holder = reading.places.get(pathText(issue.path.slice(0, -1)));
  // The key was reported, and its value was not read.
  if (holder?.misspelt.has(String(issue.path.at(-1)))) return;
  const place = reading.places.get(pathText(issue.path));
  if (place === undefined) {
    reportMissing(String(issue.path.at(-1)), holder);
    return;
  }
  // What is wrong here was reported already, and hides everything within.
  if (isAlias(place.node)) return;
  const told = place.about;
  if (issue.code === 'invalid_union' && told !== undefined && told.report === undefined) {
    const chosen = issue.errors.filter((errors) => !isOtherKind(errors));
    for (const one of best(chosen)) reportIssue({ ...one, path: [...issue.path, ...one.path] }, reading);
    if (chosen.length > 0) return;
  }
  const given = issue.code === 'custom' ? (issue.params?.['report'] as Report | undefined) : undefined;
  place.report(given ?? reportOf(issue, place, told));
}

/** Returns whether a schema of a choice is for values of another kind. */
function isOtherKind(errors: readonly Issue[]): boolean {
  const [first] = errors;
  return errors.length === 1 && first?.code === 'invalid_type' && first.path.length === 0;
}

/** Returns the issues of the schema that the value comes nearest to. */
function best(choices: readonly (readonly Issue[])[]): readonly Issue[] {
  const depth = (issues: readonly Issue[]) => Math.max(0, ...issues.map(({ path }) => path.length));
  const keys = (issues: readonly Issue[]) =>
    issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 0), 0);
  return choices.toSorted((a, b) => keys(a) - keys(b) || depth(b) - depth(a) || a.length - b.length)[0] ?? [];
}

function reportMissing(key: string, holder: Place | undefined): void {
  const property = holder?.about?.properties?.[key];
  if (holder === undefined || property === undefined) return;
  const { allowed, example, isConstant } = about(property.schema);
  const message = `The key "${key}" is missing. ${property.description}`;
  const entry = `${key}: ${example}`;
  const added = isConstant === true ? { insert: entry } : { example: entry };
  holder.report({ code: 'missing_key', message, allowed: `${key}: ${allowed}`, ...added });
}

function reportOf(issue: Issue, place: Place, told: About | undefined): Report {
  if (told === undefined) return { code: 'invalid', message: issue.message };
  if (told.report !== undefined) return told.report;
  const { kind, words } = told;
  const { allowed, example } = told.ofKind ?? told;
  const scalar = place.scalarText();
  if (kind === 'word' && words !== undefined && scalar !== undefined) {
    return { code: 'unknown_word', message: `Unknown value ${JSON.stringify(scalar.slice(0, 80))}.`, words };
  }
  if (kind === 'number' && isScalar(place.node) && typeof place.node.value === 'number') {
    return { code: 'out_of_range', message: `This is not ${allowed}.`, allowed, example };
  }
  if (kind === 'list' && (issue.code === 'too_small' || issue.code === 'too_big')) return wrongLength(place, told);
  const missing = place.describe() === 'nothing';
  const [text, source] = [scalar, place.written];
  const accepts = (schema: Schema<unknown>) => schema.safeParse(place.tree).success;
  const replacement = missing ? undefined : told.meant?.({ text, source, accepts });
  return {
    code: missing ? 'missing_value' : 'wrong_type',
    message: missing ? 'The value is missing.' : `This must be ${kind === 'word' ? 'one of ' : ''}${allowed}.`,
    allowed,
    example,
    ...(replacement !== undefined && { replacement }),
  };
}

function wrongLength({ node }: Place, { bounds: [min, max] = [0, 0], example }: About): Report {
  const count = node !== null && 'items' in node ? node.items.length : 0;
  const message = `The list has ${count} entries; ${min} to ${max} are allowed.`;
  return { code: 'wrong_length', message, allowed: `${min} to ${max} entries`, example };
}

function pathText(path: Path): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : joinPath(text, String(part))),
    '',
  );
}
