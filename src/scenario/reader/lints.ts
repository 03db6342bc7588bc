/** Warnings: valid input that is probably a mistake. */
import { nameChecks, type NameChecks, literals, lintLacking, lintNames, lintWords } from './lint-conditions.js';
import { lintAfter, lintAwaited, lintShadowed, lintRule } from './lint-rule.js';
import type { Warn, YamlNode } from '../language/yaml-node.js';
import type { LoadedFile, RuleSources } from './merge.js';
import { mostProblems, type Problem } from '../language/problems.js';
import type { FoundProblem } from '../language/corrected-line.js';
import type { LoadedScenario } from '../language/scenario.js';
import { strangeFields } from '../language/event-fields.js';
import type { LoadedRule } from '../language/rules.js';
import type { Matcher } from '../language/match.js';
import { errorCodes } from '../language/respond.js';
import { fieldsLacking } from './known-words.js';
import { wordsOfField, type ExpectSubject, type Expectation } from '../language/expectations.js';
import type { Words } from '../language/hooks.js';
import { magicIds } from '../engine/magic-numbers.js';
import { addressOf } from '../../domain/endpoint.js';

/** How much of the scenario could be read. */
interface Extent {
  /** Whether there are no problems. */
  readonly whole: boolean;
  /** Whether a file that is extended could not be read, so that its `given` is unknown. */
  readonly missing: boolean;
}

/** @returns warnings in no particular order, without those that depend on parts that could not be read */
export function lintScenario(
  { rules }: LoadedScenario,
  sources: RuleSources,
  files: readonly LoadedFile[],
  { whole, missing }: Extent,
): FoundProblem[] {
  const warnings: FoundProblem[] = [];
  const warn: Warn = (place, complaint) => {
    // One more than is listed, so that the list can report further ones.
    if (place !== undefined && warnings.length <= mostProblems) warnings.push(place.problem(complaint));
  };
  const known = { templates: writtenAt(files, givenTemplateName), aliases: writtenAt(files, givenAlias) };
  const checks = nameChecks(missing ? null : known, warn);

  for (const rule of rules) {
    const place = sources.get(rule);
    if (place) lintRule(rule, place, checks, warn);
  }
  if (whole) lintAfter(rules, sources, warn);
  lintShadowed(rules, sources, warn);
  lintWebhookUrls(files, warn);
  const spoken = whole ? spokenOf(rules) : null;
  const ids = rules.map(({ id }) => id);
  for (const file of files) {
    lintRest(file, checks);
    if (whole) lintAwaited(file, ids, (entry) => below(file, entry)('at.after'), warn);
    warnings.push(...strangeFieldsOf(file));
    for (const expectation of file.scenario.expect ?? []) {
      lintExpectation(expectation, below(file, expectation), { spoken, checks, warn });
    }
  }
  return warnings;
}

const givenTemplateName = /^given\.templates\[\d+\]\.name$/;
const givenAlias = /^given\.webhooks\[\d+\]\.alias$/;

/** Returns the texts at paths of this form, also of entries with errors in other keys. */
function writtenAt(files: readonly LoadedFile[], path: RegExp): string[] {
  const found = files.flatMap(({ places }) => [...places.values()].filter((place) => path.test(place.path)));
  return [...new Set(found.flatMap((place) => place.scalarText() ?? []))];
}

/** Returns a function that finds places by their path below an entry. */
function below({ places, placeOf }: LoadedFile, entry: object): (path: string) => YamlNode | undefined {
  const { path: start = '' } = placeOf(entry) ?? {};
  return (path) => places.get(`${start}.${path}`);
}

/** Warns of two endpoints with one URL: an account has one endpoint for each URL, so the later one replaces the earlier. */
function lintWebhookUrls(files: readonly LoadedFile[], warn: Warn): void {
  const aliasOf = new Map<string, string>();
  const given = new Set<string>();
  for (const file of files) {
    for (const webhook of file.scenario.given?.webhooks ?? []) {
      const { alias, url } = webhook;
      // An endpoint of the same alias in an extended file is replaced by this one.
      if (given.has(alias)) continue;
      given.add(alias);
      const earlier = aliasOf.get(addressOf(url));
      if (earlier === undefined) {
        aliasOf.set(addressOf(url), alias);
        continue;
      }
      warn(below(file, webhook)('url'), {
        code: 'url_given_twice',
        message: `"${earlier}" has this URL already. An account has one endpoint for each URL; its alias will be "${alias}".`,
        found: url,
        allowed: 'a different URL for each alias; a path such as /two is enough',
      });
    }
  }
}

/** Where the actions of the timeline have names and numbers. */
const NAMED = {
  phone: ['inbound.from', 'message.to', 'window.phone'],
  template: ['template.name'],
  alias: ['emit.alias', 'webhook.alias', 'replay.alias'],
} as const satisfies Record<keyof NameChecks, readonly string[]>;

function lintRest(file: LoadedFile, checks: NameChecks): void {
  const { given, timeline = [] } = file.scenario;
  for (const customer of given?.customers ?? []) {
    if (customer.count === undefined) checks.phone(customer.phone, below(file, customer)('phone'));
  }
  for (const entry of timeline) {
    for (const [kind, paths] of Object.entries(NAMED) as [keyof NameChecks, readonly string[]][]) {
      for (const place of paths.map(below(file, entry))) checks[kind](place?.scalarText(), place);
    }
  }
}

function strangeFieldsOf(file: LoadedFile): FoundProblem[] {
  return (file.scenario.timeline ?? []).flatMap((entry) => {
    const { type, data, webhook } = entry.emit ?? {};
    const place = below(file, entry)('emit.data');
    // An unknown event type is invalid on purpose.
    if (!type || !data || !place || webhook?.body === 'unknown_type') return [];
    return strangeFields(type, data, place);
  });
}

/**
 * Returns a warning for each rule that did not apply during a run.
 * @param hitsOf how often a rule applied
 */
export function lintNeverHit(rules: readonly LoadedRule[], hitsOf: (id: string) => number): Problem[] {
  return rules
    .filter(({ id }) => hitsOf(id) === 0)
    .map(({ id, when, source }) => ({
      file: source.file,
      line: source.line,
      column: 1,
      path: id,
      code: 'never_hit',
      message: `Rule ${id} never applied: nothing at ${when} matched it, or earlier rules took precedence.`,
      found: '0 hits',
      allowed: 'a match for what the application does, or no such rule',
    }));
}

/** Values of fields that the rules of a scenario add to the known ones. */
interface Spoken {
  readonly rules: Words;
  readonly errors: Words;
}

/** A longer list of ids would hide the rest of a warning. */
const mostListed = 30;

function spokenOf(rules: readonly LoadedRule[]): Spoken {
  const ids = rules.map(({ id }) => id);
  return {
    rules: {
      values: [...ids, ...magicIds(), 'timeline', 'X-Sandbox-Prefer'],
      allowed: ids.length === 0 || ids.length > mostListed ? 'the id of a rule' : ids.join(', '),
      near: ids,
    },
    errors: { values: [...errorCodes, ...rules.flatMap(codesOf)] },
  };
}

/** Returns the error codes that a rule sets. */
function codesOf({ then: { respond, refuse } }: LoadedRule): string[] {
  const error = asObject(asObject(respond?.body)['error']);
  return [respond?.code, respond?.refuse?.code, refuse?.code, error['code']].filter((code) => typeof code === 'string');
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/**
 * @param at finds the place of a path below the expectation
 * @param spoken null if not all rules could be read
 */
function lintExpectation(
  { that, where, has, in_order }: Expectation,
  at: (path: string) => YamlNode | undefined,
  { spoken, checks, warn }: { spoken: Spoken | null; checks: NameChecks; warn: Warn },
): void {
  const sets: [string, Record<string, Matcher> | undefined][] = [
    ['where', where],
    ['has', has],
    ...(in_order ?? []).map((step, index): [string, Record<string, Matcher>] => [`in_order[${index}]`, step]),
  ];
  for (const [set, fields] of sets) {
    const within = (path: string) => at(`${set}.${path}`);
    for (const [field, matcher] of Object.entries(fields ?? {})) {
      const words = wordsHere(that, field, spoken);
      lintWords(matcher, { path: field, subject: `In ${that}, ${field}`, words }, within, warn);
      const check = checkOf(that, field, checks);
      if (check) for (const [text, path] of literals(matcher, field)) check(text, within(path));
      if (that === 'templates' && field === 'name') lintNames('In templates', matcher, within, warn);
    }
    lintLacking(fieldsLacking(that, fields ?? {}), fields ?? {}, within, warn);
  }
}

function checkOf(that: ExpectSubject, field: string, checks: NameChecks): NameChecks['phone'] | undefined {
  if (field === 'alias') return checks.alias;
  if (field === 'to' || field === 'from') return checks.phone;
  return field === 'template' || (that === 'templates' && field === 'name') ? checks.template : undefined;
}

function wordsHere(that: ExpectSubject, field: string, spoken: Spoken | null): Words | undefined {
  if (field === 'rule') return spoken?.rules;
  return that === 'requests' && field === 'error' ? spoken?.errors : wordsOfField(that, field);
}
