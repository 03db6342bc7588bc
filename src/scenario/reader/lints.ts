/** Warnings: valid input that is probably a mistake. */
import { addressOf } from '../../domain/endpoint.js';
import { magicIds } from '../engine/magic-numbers.js';
import { dataFields } from '../../domain/event-data.js';
import type { EventType } from '../../domain/event.js';
import { onRecords, wordsOfField, type ExpectSubject, type Expectation } from '../schema/expect.js';
import type { Words } from '../schema/hooks.js';
import type { Problem } from '../schema/problems.js';
import { errorCodes } from '../schema/respond.js';
import type { LoadedRule } from '../schema/rule.js';
import type { LoadedScenario } from '../schema/scenario.js';
import type { Place } from './place.js';
import {
  fieldsLacking,
  lintLacking,
  lintNames,
  lintWords,
  literals,
  nameChecks,
  type NameChecks,
} from './lint-conditions.js';
import { lintAfter, lintAwaited, lintRule, lintShadowed } from './lint-rule.js';
import { joinPath } from './json-text.js';
import type { LoadedFile, RuleSources } from './merge.js';

/** How much of the scenario could be read. */
interface Extent {
  /** Whether there are no problems. */
  readonly whole: boolean;
  /** Whether a file that is extended could not be read, so that its `given` is unknown. */
  readonly missing: boolean;
}

/** Warns in no particular order, but not of what depends on parts that could not be read. */
export function lintScenario(
  { rules }: LoadedScenario,
  sources: RuleSources,
  files: readonly LoadedFile[],
  { whole, missing }: Extent,
): void {
  const known = { templates: writtenAt(files, givenTemplateName), aliases: writtenAt(files, givenAlias) };
  const checks = nameChecks(missing ? null : known);
  for (const rule of rules) {
    const place = sources.get(rule);
    if (place) lintRule(rule, place, checks);
  }
  if (whole) lintAfter(rules, sources);
  lintShadowed(rules, sources);
  lintWebhookUrls(files);
  const spoken = whole ? spokenOf(rules) : null;
  const ids = rules.map(({ id }) => id);
  for (const file of files) {
    lintRest(file, checks);
    if (whole) lintAwaited(file, ids);
    for (const entry of file.scenario.timeline ?? []) {
      const { type, data, webhook } = entry.emit ?? {};
      const place = file.root.reading.origins.get(entry)?.at('emit.data');
      // An unknown event type is invalid on purpose.
      if (type && data && place && webhook?.body !== 'unknown_type') lintEventData(type, data, place);
    }
    for (const expectation of onRecords(file.scenario.expect ?? [])) {
      lintExpectation(expectation, file.root.reading.origins.get(expectation), spoken, checks);
    }
  }
}

/** Warns of fields that such an event does not have: they are allowed, but probably a mistake. */
function lintEventData(type: EventType, data: object, at: Place): void {
  const words = dataFields(type);
  for (const name of Object.keys(data)) {
    if (words.includes(name)) continue;
    const message = `The data of ${type} has no field "${name}"; it is sent anyway.`;
    const place = at.reading.places.get(joinPath(at.path, name))?.key;
    place?.warn({ code: 'unknown_field', message, found: `"${name}"`, words });
  }
}

const givenTemplateName = /^given\.templates\[\d+\]\.name$/;
const givenAlias = /^given\.webhooks\[\d+\]\.alias$/;

/** Returns the texts at paths of this form, also of entries with errors in other keys. */
function writtenAt(files: readonly LoadedFile[], path: RegExp): string[] {
  const found = files.flatMap(({ root: { reading } }) =>
    [...reading.places.values()].filter((place) => path.test(place.path)),
  );
  return [...new Set(found.flatMap((place) => place.scalarText() ?? []))];
}

/** Warns of two endpoints with one URL: an account has one endpoint for each URL, so the later one replaces the earlier. */
function lintWebhookUrls(files: readonly LoadedFile[]): void {
  const aliasOf = new Map<string, string>();
  const given = new Set<string>();
  for (const {
    scenario,
    root: { reading },
  } of files) {
    for (const webhook of scenario.given?.webhooks ?? []) {
      const { alias, url } = webhook;
      // An endpoint of the same alias in an extended file is replaced by this one.
      if (given.has(alias)) continue;
      given.add(alias);
      const earlier = aliasOf.get(addressOf(url));
      if (earlier === undefined) {
        aliasOf.set(addressOf(url), alias);
        continue;
      }
      reading.origins
        .get(webhook)
        ?.at('url')
        ?.warn({
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
} as const;

function lintRest({ scenario: { given, timeline = [] }, root: { reading } }: LoadedFile, checks: NameChecks): void {
  for (const customer of given?.customers ?? []) {
    if (customer.count === undefined) checks.phone(customer.phone, reading.origins.get(customer)?.at('phone'));
  }
  for (const entry of timeline) {
    for (const kind of ['phone', 'template', 'alias'] as const) {
      for (const path of NAMED[kind]) {
        const place = reading.origins.get(entry)?.at(path);
        checks[kind](place?.scalarText(), place);
      }
    }
  }
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

function codesOf({ then: { respond, refuse } }: LoadedRule): string[] {
  const error = asObject(asObject(respond?.body)['error']);
  return [respond?.code, respond?.refuse?.code, refuse?.code, error['code']].filter((code) => typeof code === 'string');
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** @param spoken null if not all rules could be read */
function lintExpectation(
  { that, where, has, in_order = [] }: Expectation,
  place: Place | undefined,
  spoken: Spoken | null,
  checks: NameChecks,
): void {
  const steps = in_order.map((step, index) => [`in_order[${index}]`, step] as const);
  for (const [set, fields = {}] of [['where', where] as const, ['has', has] as const, ...steps]) {
    for (const [field, matcher] of Object.entries(fields)) {
      const at = place?.at(`${set}.${field}`);
      lintWords(matcher, at, `In ${that}, ${field}`, wordsHere(that, field, spoken));
      const check = checkOf(that, field, checks);
      if (check) for (const [text, where] of literals(matcher, at)) check(text, where);
      if (that === 'templates' && field === 'name') lintNames('In templates', matcher, at);
    }
    lintLacking(fieldsLacking(that, fields), fields, place?.at(set));
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
