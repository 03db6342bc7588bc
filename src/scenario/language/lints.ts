/** What is allowed but hardly meant (contract §5: "Lints besides"). All of these are warnings. */
import { addressOf } from '../../domain/endpoint.js';
import { lintExpectation, spokenOf } from './lint-expect.js';
import { nameChecks, type NameChecks } from './lint-names.js';
import { lintRule, slotNames, type Warn } from './lint-rule.js';
import type { LoadedFile, RuleSources } from './load.js';
import type { Problem } from './problems.js';
import type { LoadedScenario } from './scenario-schema.js';
import { strangeFields } from './event-data.js';
import type { Place } from './yaml-node.js';
import type { LoadedRule } from './rule-schema.js';
import type { SlotName } from './slot-schema.js';
import { covers } from '../engine/unreachable-rules.js';

/** How much of the scenario could be read. */
export interface Extent {
  /** There are no problems. */
  readonly whole: boolean;
  /** A file that is extended could not be read, so that nobody knows what it gives. */
  readonly missing: boolean;
}

/** @returns warnings, in no particular order; what hangs on parts that could not be read is left unsaid */
export function lintScenario(
  { rules }: LoadedScenario,
  sources: RuleSources,
  files: readonly LoadedFile[],
  { whole, missing }: Extent,
): Problem[] {
  const warnings: Problem[] = [];
  const warn: Warn = (place, complaint) => {
    if (place !== undefined) warnings.push(place.problem(complaint));
  };
  const known = { templates: writtenAt(files, givenTemplateName), aliases: writtenAt(files, givenAlias) };
  const checks = nameChecks(missing ? null : known, warn);

  for (const rule of rules) {
    const place = sources.get(rule);
    if (place) lintRule(rule, place, checks, warn);
  }
  for (const { rule, slot, earlier } of shadowed(rules)) {
    const place = sources.get(rule);
    const where = `${earlier.source.file}:${earlier.source.line}`;
    const message = `The slot "${slot}" of rule ${rule.id} never decides: rule ${earlier.id} (${where}) comes first and fits everything this one fits.`;
    warn(place?.reading.places.get(`${place.path}.then.${slot}`) ?? place, {
      code: 'shadowed_rule',
      message,
      found: rule.id,
      allowed: 'this rule before the other one, or a narrower match there',
    });
  }
  lintWebhookUrls(files, warn);
  const spoken = whole ? spokenOf(rules) : null;
  for (const file of files) {
    lintRest(file, checks);
    warnings.push(...strangeFieldsOf(file));
    for (const expectation of file.scenario.expect ?? []) {
      lintExpectation(expectation, below(file, expectation), { spoken, checks, warn });
    }
  }
  return warnings;
}

const givenTemplateName = /^given\.templates\[\d+\]\.name$/;
const givenAlias = /^given\.webhooks\[\d+\]\.alias$/;

/** The texts that stand at such paths, in entries that are wrong elsewhere too. */
function writtenAt(files: readonly LoadedFile[], path: RegExp): string[] {
  const found = files.flatMap(({ places }) => [...places.values()].filter((place) => path.test(place.path)));
  return [...new Set(found.flatMap((place) => place.scalarText() ?? []))];
}

/** Finds places by their path below an entry. */
function below({ places, placeOf }: LoadedFile, entry: object): (path: string) => Place | undefined {
  const { path: start = '' } = placeOf(entry) ?? {};
  return (path) => places.get(`${start}.${path}`);
}

/** There is one webhook of a URL, so of two that are given the later one takes the earlier one's place. */
function lintWebhookUrls(files: readonly LoadedFile[], warn: Warn): void {
  const aliasOf = new Map<string, string>();
  const given = new Set<string>();
  for (const file of files) {
    for (const webhook of file.scenario.given?.webhooks ?? []) {
      const { alias, url } = webhook;
      // The same alias in a file that is extended is the one being replaced.
      if (given.has(alias)) continue;
      given.add(alias);
      const earlier = aliasOf.get(addressOf(url));
      if (earlier === undefined) {
        aliasOf.set(addressOf(url), alias);
        continue;
      }
      warn(below(file, webhook)('url'), {
        code: 'url_given_twice',
        message: `"${earlier}" has this URL already. An account has one webhook per URL, which will be called "${alias}".`,
        found: url,
        allowed: 'a URL of its own for each alias; a path such as /two is enough',
      });
    }
  }
}

function lintRest(file: LoadedFile, checks: NameChecks): void {
  const { given, timeline = [] } = file.scenario;
  for (const customer of given?.customers ?? []) checks.phone(customer.phone, below(file, customer)('phone'));
  for (const entry of timeline) {
    const { inbound, message, window, template, emit, webhook } = entry;
    const at = below(file, entry);
    checks.phone(inbound?.from, at('inbound.from'));
    checks.phone(message?.to, at('message.to'));
    checks.phone(window?.phone, at('window.phone'));
    checks.template(template?.name, at('template.name'));
    checks.alias(emit?.alias, at('emit.alias'));
    checks.alias(webhook?.alias, at('webhook.alias'));
  }
}

function strangeFieldsOf(file: LoadedFile): Problem[] {
  return (file.scenario.timeline ?? []).flatMap((entry) => {
    const { type, data, webhook } = entry.emit ?? {};
    const place = below(file, entry)('emit.data');
    // What is sent as an event of an unknown type is nonsense on purpose.
    if (!type || !data || !place || webhook?.body === 'unknown_type') return [];
    return strangeFields(type, data, place);
  });
}

/** For each slot that can never decide, the earlier rule that takes it. */
function shadowed(rules: readonly LoadedRule[]): { rule: LoadedRule; slot: SlotName; earlier: LoadedRule }[] {
  return rules.flatMap((rule, index) =>
    slotNames(rule).flatMap((slot) => {
      const earlier = rules.slice(0, index).find((other) => other.then[slot] !== undefined && takesAll(other, rule));
      return earlier === undefined ? [] : [{ rule, slot, earlier }];
    }),
  );
}

function takesAll(earlier: LoadedRule, rule: LoadedRule): boolean {
  return (
    earlier.when === rule.when &&
    earlier.pick === undefined &&
    earlier.active === undefined &&
    covers(earlier.match ?? {}, rule.match ?? {})
  );
}

/**
 * Rules that decided nothing during a run, as warnings at the rule.
 * @param hitsOf how often a rule decided a slot
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
      message: `Rule ${id} never decided anything: nothing at ${when} fitted it, or earlier rules came first.`,
      found: '0 hits',
      allowed: 'a match that fits what the application does, or no such rule',
    }));
}
