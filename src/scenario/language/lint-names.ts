/** Names and numbers in a scenario that may not mean what was thought: lints (contract §5). */
import { isFictional } from '../../domain/fictional-number.js';
import { isPhone } from '../../domain/phone.js';
import type { Warn } from './lint-rule.js';
import { magicTemplateFor } from '../engine/magic-numbers.js';
import { isPlainText } from '../engine/matchers.js';
import type { Match, Matcher } from './match-schema.js';
import type { Place } from './yaml-node.js';

/** Looks at a name or number where it is written; undefined where there is none. */
export interface NameChecks {
  readonly phone: (text: string | undefined, place: Place | undefined) => void;
  readonly template: (text: string | undefined, place: Place | undefined) => void;
  readonly alias: (text: string | undefined, place: Place | undefined) => void;
}

/** What a rule can name because it is there. */
export interface Known {
  readonly templates: readonly string[];
  readonly aliases: readonly string[];
}

/** @param known null where nobody can tell what there is: then only numbers are looked at */
export function nameChecks(known: Known | null, warn: Warn): NameChecks {
  const { templates, aliases } = known ?? { templates: [], aliases: [] };
  return {
    phone: (text, place) => {
      if (text !== undefined && /^\d{7,15}$/.test(text)) {
        const message = `${text} has no +, which every number begins with, so nothing fits.`;
        warn(place, {
          code: 'number_without_plus',
          message,
          allowed: 'a number such as +12025550101',
          suggestion: `+${text}`,
        });
        return;
      }
      const bare = text?.replace(/[\s().-]/g, '') ?? '';
      if (text !== bare && isPhone(bare)) {
        const message = `${text} has more than a + and digits, so nothing fits.`;
        warn(place, {
          code: 'number_with_separators',
          message,
          allowed: 'a number such as +12025550101',
          suggestion: bare,
        });
        return;
      }
      if (text === undefined || !/^\+\d+$/.test(text) || isFictional(text)) return;
      const message = `${text} may be somebody's number. Numbers of fiction are safe.`;
      warn(place, { code: 'number_not_fictional', message, allowed: '+1AAA55501NN with any US area code AAA' });
    },
    template: (text, place) => {
      if (known === null || text === undefined || !isPlainText(text)) return;
      if (templates.includes(text) || magicTemplateFor(text) !== null) return;
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
      if (known === null || text === undefined || !isPlainText(text) || aliases.includes(text)) return;
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
}

/** An empty list says nothing about what is allowed. */
function emptyAllowed(words: readonly string[], allowed: string): { allowed?: string } {
  return words.length === 0 ? { allowed } : {};
}

/** @param at finds the place of a path below the match */
export function lintMatch(match: Match | undefined, at: (path: string) => Place | undefined, checks: NameChecks): void {
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
export function literals(matcher: Matcher | undefined, path: string): [string, string][] {
  if (matcher === undefined) return [];
  if (typeof matcher === 'string') return [[matcher, path]];
  if (Array.isArray(matcher)) return matcher.flatMap((one, index) => literals(one, `${path}[${index}]`));
  return matcher.equals === undefined ? [] : [[matcher.equals, `${path}.equals`]];
}
