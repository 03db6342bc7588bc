import { z } from 'zod';
import { isObject } from '../domain/json.js';
import { about, type Misfit, type Unchecked } from './about.js';
import { slotsSchema } from './actions.js';
import { parseCalls, parseOffset } from './durations.js';
import { HOOKS } from './hooks.js';
import { choice, integer, object, optional, text } from './kit.js';
import { factFaults, factsByHook, matchSchema } from './match.js';
import { offset } from './texts.js';

const ruleId = text({
  allowed: 'a name of letters, digits, - _ . : and []',
  example: 'third-one-fails',
  pattern: /^[\w.:[\]-]{1,100}$/,
  meant: (value) => value.trim().replace(/[^\w.:[\]-]+/g, '-'),
});

/** `5..2`, `2-5`, `..5` → `2..5`, `1..5` */
function meantCalls(text: string): string | undefined {
  const [, first = '', last = ''] = /^\s*(\d*)\s*(?:\.{2,3}|-|to)\s*(\d*)\s*$/.exec(text) ?? [];
  if (first === '' && last === '') return undefined;
  const [from, to] = last !== '' && Number(first) > Number(last) ? [last, first] : [first || '1', last];
  return `${from}..${to}`;
}

const allowedCalls = 'the number of a call such as 3, or numbers such as 4.. or 2..5';
const rangeOfCalls = text({
  allowed: allowedCalls,
  example: '2..5',
  check: (value) => (parseCalls(value) ? undefined : { code: 'bad_calls', message: 'This is not a number of calls.' }),
  meant: meantCalls,
  keywords: { type: 'string', pattern: '^[1-9][0-9]{0,8}(\\.\\.([1-9][0-9]{0,8})?)?$' },
});
const calls = choice<string | number>([integer(1, 999_999_999, 3), rangeOfCalls], { allowed: allowedCalls });

const percentage = text({
  allowed: 'a percentage such as 10%',
  check(value) {
    const number = /^\d{1,3}(?:\.\d{1,6})?%$/.test(value) ? Number(value.slice(0, -1)) : NaN;
    if (number <= 100) return undefined;
    return { code: 'bad_chance', message: 'This is not a percentage from 0% to 100%.' };
  },
  // A 1 may be meant as all of them.
  meant(value) {
    const [, some, of] = /^\s*(\d{1,6})\s*(?:in|of|out of|\/)\s*([1-9]\d{0,5})\s*$/i.exec(value) ?? [];
    if (some !== undefined) return `${Number(((Number(some) / Number(of)) * 100).toFixed(4))}%`;
    const [, number = ''] = /^\s*(\d+(?:\.\d+)?)\s*(?:%|percent)?\s*$/i.exec(value) ?? [];
    if (number === '' || value.trim() === '1') return undefined;
    const isShare = value.trim() === number && Number(number) < 1;
    return `${isShare ? Number((Number(number) * 100).toFixed(4)) : Number(number)}%`;
  },
  keywords: { pattern: '^[0-9]{1,3}(\\.[0-9]{1,6})?%$' },
});

const pick = object(
  {
    calls: optional(calls, 'Numbers of the matching calls to select. `4..`: the fourth and all later calls.'),
    every: optional(integer(1, 1_000_000_000, 3), 'Every Nth matching call. `3`: the third, sixth … call.'),
    chance: optional(
      percentage,
      'Approximate percentage of the matching calls to select. The seed decides, so every run selects the same calls. For exactly half, use `every: 2`.',
    ),
    share: optional(percentage, 'Approximate percentage of the customers whose calls are selected.'),
  },
  {
    name: 'Pick',
    atLeastOne: ['calls', 'every', 'chance', 'share'],
    short: ['chance', 'calls'],
  },
);
/** Selection among the matching calls, counted from 1. All keys must hold. */
export type Pick = z.output<typeof pick>;

const active = object(
  {
    after: optional(offset, 'Time after activation at which the rule begins to apply.'),
    before: optional(offset, 'Time after activation at which the rule ceases to apply.'),
  },
  {
    name: 'Active',
    atLeastOne: ['after', 'before'],
    check({ after, before }) {
      if (before === undefined || parseOffset(before) > parseOffset(after ?? '0s')) return false;
      const allowed = `more than ${after ?? '+0s'}`;
      return { at: 'before', code: 'out_of_range', message: 'The rule ends before it starts.', allowed };
    },
  },
);

const per = z.enum(['account', 'phone', 'template', 'endpoint']);
export type Per = z.output<typeof per>;

/** A review has its own hook, template.review. */
function reviewFault({ when, then }: Unchecked): Misfit[] {
  if (when !== 'template.create' || !isObject(then) || !('review' in then)) return [];
  const message = 'A review is decided at template.review; template.create is the call.';
  const code = 'other_form';
  return Object.keys(then).length === 1
    ? [{ at: 'when', code, message, allowed: 'template.review', suggestion: 'template.review' }]
    : [{ at: ['then', 'review'], onKey: true, code, message, allowed: 'a separate rule with when: template.review' }];
}

/** `chance` per customer was a share. */
function shareFault({ pick: how, per: what }: Unchecked): Misfit[] {
  if (!isObject(how) || Object.keys(how).join() !== 'chance' || (what !== 'phone' && what !== 'recipient')) return [];
  const message = 'chance picks calls; a percentage of the customers is a share.';
  return [{ at: ['pick', 'chance'], onKey: true, code: 'other_form', message, allowed: 'share', suggestion: 'share' }];
}

const hook = about(z.enum(HOOKS), { example: 'message.send' });

export const ruleSchema = object(
  {
    id: optional(ruleId, 'Name of the rule. Default: `rules[N]`.'),
    when: hook.describe('The hook at which the rule is evaluated.'),
    match: optional(matchSchema, 'Conditions on the call or event. Default: every call or event matches.'),
    pick: optional(
      pick,
      'Selection of some of the matching calls. If you set several keys, a call must meet all of them. Each entry of a batch counts as a call.',
    ),
    per: optional(
      per,
      'Unit that has its own count of calls for the keys `pick` and `limit`. `phone`: each customer has a count. Default: `account`.',
    ),
    active: optional(active, 'Period in which the rule can apply. Default: always.'),
    then: slotsSchema.describe('Actions of the rule.'),
  },
  {
    name: 'Rule',
    example: '{ when: message.send, then: { lifecycle: happy } }',
    checkKeys: (rule) => [...factFaults(rule), ...reviewFault(rule), ...shareFault(rule)],
    keywords: factsByHook,
  },
);
export type Rule = z.output<typeof ruleSchema>;

/** A rule with the place of its definition. */
export interface LoadedRule extends Rule {
  id: string;
  source: { file: string; line: number };
}
