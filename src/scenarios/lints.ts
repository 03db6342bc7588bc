/** What is allowed but hardly meant (contract §5: "Lints besides"). All of these are warnings. */
import type { LoadedFile, RuleSources } from './load.js';
import { isFictional, magicTemplateFor } from './magic-numbers.js';
import { isRegexText } from './matchers.js';
import type { Problem } from './problems.js';
import type { LoadedScenario } from './schema.js';
import { SLOTS_BY_HOOK } from './schema/hooks.js';
import type { Match, Matcher } from './schema/match.js';
import type { Complaint, Place } from './schema/place.js';
import type { LoadedRule } from './schema/rules.js';
import type { SlotName } from './schema/slots.js';
import { covers } from './shadow.js';

/** @returns warnings, in no particular order */
export function lintScenario(scenario: LoadedScenario, sources: RuleSources, files: readonly LoadedFile[]): Problem[] {
  const warnings: Problem[] = [];
  const templates = scenario.given.templates.map(({ name }) => name);
  const aliases = scenario.given.webhooks.map(({ alias }) => alias);
  const warn = (place: Place | undefined, complaint: Complaint) => {
    if (place !== undefined) warnings.push(place.problem(complaint));
  };
  const checks: Checks = {
    phone: (text, place) => {
      if (text === undefined || !/^\+\d+$/.test(text) || isFictional(text)) return;
      const message = `${text} may be somebody's number. Numbers of fiction are safe.`;
      warn(place, { code: 'number_not_fictional', message, allowed: '+1AAA55501NN with any US area code AAA' });
    },
    template: (text, place) => {
      if (text === undefined || !isPlain(text) || templates.includes(text) || magicTemplateFor(text) !== null) return;
      const message = `No template "${text}" is given, so nothing will fit until the application creates it.`;
      warn(place, {
        code: 'unknown_template',
        message,
        found: text,
        words: templates,
        ...emptyAllowed(templates, 'a template in given.templates'),
      });
    },
    alias: (text, place) => {
      if (text === undefined || !isPlain(text) || aliases.includes(text)) return;
      const message = `No webhook is given with the alias "${text}".`;
      warn(place, {
        code: 'unknown_alias_name',
        message,
        found: text,
        words: aliases,
        ...emptyAllowed(aliases, 'an alias in given.webhooks'),
      });
    },
  };

  for (const rule of scenario.rules) {
    const place = sources.get(rule);
    const at = (path: string) => place?.reading.places.get(`${place.path}.${path}`);
    lintMatch(rule.match, (path) => at(`match.${path}`), checks);
    for (const slot of slotNames(rule)) {
      const allowed = SLOTS_BY_HOOK[rule.when];
      if (allowed.includes(slot)) continue;
      const message = `The slot "${slot}" has no effect under ${rule.when}.`;
      warn(at(`then.${slot}`), { code: 'slot_under_wrong_hook', message, found: slot, allowed: allowed.join(', ') });
    }
  }
  for (const { rule, slot, earlier } of shadowed(scenario.rules)) {
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
  for (const file of files) lintRest(file, checks);
  return warnings;
}

interface Checks {
  readonly phone: (text: string | undefined, place: Place | undefined) => void;
  readonly template: (text: string | undefined, place: Place | undefined) => void;
  readonly alias: (text: string | undefined, place: Place | undefined) => void;
}

/** An empty list says nothing about what is allowed. */
function emptyAllowed(words: readonly string[], allowed: string): { allowed?: string } {
  return words.length === 0 ? { allowed } : {};
}

function lintMatch(match: Match | undefined, at: (path: string) => Place | undefined, checks: Checks): void {
  if (match === undefined) return;
  for (const [check, key] of [
    [checks.phone, 'to'],
    [checks.template, 'template'],
    [checks.alias, 'alias'],
  ] as const) {
    for (const [text, path] of literals(match[key], key)) check(text, at(path));
  }
  lintMatch(match.not, (path) => at(`not.${path}`), checks);
  match.any?.forEach((one, index) => lintMatch(one, (path) => at(`any[${index}].${path}`), checks));
}

/** The plain texts of a matcher, each with its path. */
function literals(matcher: Matcher | undefined, path: string): [string, string][] {
  if (matcher === undefined) return [];
  if (typeof matcher === 'string') return [[matcher, path]];
  if (Array.isArray(matcher)) return matcher.flatMap((one, index) => literals(one, `${path}[${index}]`));
  return matcher.equals === undefined ? [] : [[matcher.equals, `${path}.equals`]];
}

function isPlain(text: string): boolean {
  return !text.includes('*') && isRegexText(text) === undefined;
}

function lintRest({ scenario, places }: LoadedFile, checks: Checks): void {
  scenario.given?.customers?.forEach(({ phone }, index) => {
    checks.phone(phone, places.get(`given.customers[${index}].phone`));
  });
  scenario.timeline?.forEach(({ inbound, message, window, template, emit, webhook }, index) => {
    const at = (path: string) => places.get(`timeline[${index}].${path}`);
    checks.phone(inbound?.from, at('inbound.from'));
    checks.phone(message?.to, at('message.to'));
    checks.phone(window?.phone, at('window.phone'));
    checks.template(template?.name, at('template.name'));
    checks.alias(emit?.alias, at('emit.alias'));
    checks.alias(webhook?.alias, at('webhook.alias'));
  });
  scenario.expect?.forEach(({ where }, index) => {
    for (const [text, path] of literals(where?.alias, 'alias'))
      checks.alias(text, places.get(`expect[${index}].where.${path}`));
  });
}

function slotNames(rule: LoadedRule): SlotName[] {
  return Object.keys(rule.then) as SlotName[];
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
