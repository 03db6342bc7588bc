/** A rule: its hook, its conditions, how often it applies and what it does. */
import { misplaced, object, once, optional, part, required, type ValueOf } from './kit.js';
import { anyText, integer, oneOf, text } from './scalars.js';
import { list } from './collections.js';
import { HOOKS } from './hooks.js';
import { checkFacts, factsByHook, matchSchema, ruleIdSchema } from './match.js';
import { parseOffset, offset } from './durations.js';
import { SLOT_NAMES, slotsSchema } from './actions.js';

const count = once(() => integer(1, 1_000_000_000, 3));

const between = once(() => list(count(), { min: 2, max: 2 }));

const percentage = once(() =>
  text({
    allowed: 'a percentage such as 10%',
    example: '10%',
    check(value) {
      const number = /^\d{1,3}(?:\.\d{1,6})?%$/.test(value) ? Number(value.slice(0, -1)) : NaN;
      if (number <= 100) return undefined;
      return { code: 'bad_chance', message: 'This is not a percentage from 0% to 100%.' };
    },
    // A 1 may be meant as all of them.
    meant(value) {
      const [, number = ''] = /^\s*(\d+(?:\.\d+)?)\s*(?:%|percent)?\s*$/i.exec(value) ?? [];
      if (number === '' || value.trim() === '1') return undefined;
      const isShare = value.trim() === number && Number(number) < 1;
      return `${isShare ? Number((Number(number) * 100).toFixed(4)) : Number(number)}%`;
    },
    keywords: { pattern: '^[0-9]{1,3}(\\.[0-9]{1,6})?%$' },
  }),
);

const pick = part('Pick', 'which of the matching calls', '{ nth: 3 }', () =>
  object(
    {
      first: optional(count(), 'The first N calls.'),
      nth: optional(count(), 'The call with this number.'),
      every: optional(count(), 'Every Nth call: with 3, the third, sixth, ninth …'),
      after: optional(count(), 'All calls except the first N.'),
      between: optional(between(), 'From one number to another, inclusive.'),
      chance: optional(
        percentage(),
        'This percentage of the calls, chosen by seed, rule, recipient and count: the same calls on every machine, in any order. With per: recipient, it means share.',
      ),
      share: optional(
        percentage(),
        'This percentage of the customers, chosen by seed, group and number. Every rule chooses the same customers; a larger share adds more.',
      ),
      group: optional(
        anyText('unlucky', { maxLength: 100 }),
        'With share: rules with another group choose other customers. Default: all rules choose the same.',
      ),
    },
    {
      atLeastOne: ['first', 'nth', 'every', 'after', 'between', 'chance', 'share'],
      short: ['chance'],
      check: ({ group, share }) =>
        group !== undefined && share === undefined && misplaced('group', 'group needs share.', 'group beside share'),
    },
  ),
);
/** Which of the matching calls a rule applies to, counted from 1; if there are several keys, all must hold. */
export type Pick = ValueOf<typeof pick>;

const active = part('Active', 'when the rule is active', '{ from: +0s, to: +25h }', () =>
  object(
    {
      from: optional(offset(), 'Offset from activation at which the rule starts to apply. Default: +0s.'),
      to: optional(offset(), 'Offset from activation at which the rule stops applying. Default: never.'),
    },
    {
      atLeastOne: ['from', 'to'],
      check({ from, to }) {
        if (to === undefined || parseOffset(to) > parseOffset(from ?? '0s')) return false;
        const allowed = `more than ${from ?? '+0s'}`;
        return { at: 'to', code: 'out_of_range', message: 'The rule ends before it starts.', allowed };
      },
    },
  ),
);

const per = once(() => oneOf(['account', 'recipient', 'template', 'endpoint']));
export type Per = ValueOf<typeof per>;

export const ruleSchema = part('Rule', 'a rule', '{ when: message.send, then: { lifecycle: happy } }', () =>
  object(
    {
      id: optional(ruleIdSchema(), 'Name of the rule in explanations and in X-Sandbox-Rule. Default: rules[N].'),
      when: required(oneOf(HOOKS), 'The hook at which the rule is evaluated.'),
      match: optional(matchSchema(), 'Conditions on the call or event. Default: all match.'),
      pick: optional(
        pick(),
        'How often the rule applies, counted among the calls that match. If there are several keys, all must hold.',
      ),
      per: optional(per(), 'What pick and limit count by. Default: account.'),
      active: optional(active(), 'When the rule is active. Default: always.'),
      then: required(slotsSchema(), 'What the rule does. Actions that an earlier rule has set are not changed.'),
    },
    {
      checkKeys(rule) {
        const hook = HOOKS.find((name) => name === rule.textOf('when'));
        const match = rule.mapAt('match');
        if (hook !== undefined && match !== undefined) checkFacts(hook, match);
      },
      keywords: factsByHook,
      forms: Object.fromEntries(SLOT_NAMES.map((name) => [name, (source: string) => `then: { ${name}: ${source} }`])),
    },
  ),
);
export type Rule = ValueOf<typeof ruleSchema>;

/** A rule with its id, and the place where it is defined. */
export interface LoadedRule extends Rule {
  id: string;
  source: { file: string; line: number };
}
