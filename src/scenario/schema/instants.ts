/** When a step of the timeline happens. */
import { HOOKS, type Hook } from './hooks.js';
import { offset } from './durations.js';
import { oneOfSchemas } from './collections.js';
import { object, once, optional, required, type ValueOf } from './kit.js';
import { text } from './scalars.js';

/** `message.send`, `first message.send`, or the id of a rule. */
export function awaitedOf(text: string): { readonly hook: Hook } | { readonly rule: string } {
  const name = text.replace(/^first\s+/, '');
  const hook = HOOKS.find((one) => one === name);
  return hook === undefined ? { rule: name } : { hook };
}

/** Hooks at which a step of the timeline can wait for the first call. */
const AWAITED_HOOKS = HOOKS.filter((hook) => hook !== 'api.any');

const awaited = once(() =>
  text({
    allowed: 'first HOOK, such as first message.send, or the id of a rule',
    example: 'first message.send',
    check(value) {
      const fault = (message: string) => ({ code: 'unknown_word', message, words: AWAITED_HOOKS });
      if (value.replace(/^first\s+/, '') === 'api.any') return fault('A step cannot wait for api.any.');
      return /^first\s/.test(value) && 'rule' in awaitedOf(value) ? fault('There is no hook of this name.') : undefined;
    },
  }),
);

const afterCall = once(() =>
  object({
    after: required(
      awaited(),
      'What the step waits for: the first call at a hook, or the first time that the rule with this id applies.',
    ),
    by: optional(offset(), 'Time after that event. Default: 0s.'),
  }),
);

const clockTime = once(() =>
  object(
    {
      clock: required(
        text({
          allowed: 'a time of day in UTC such as "09:00"',
          example: '"09:00"',
          pattern: /^(?:[01]\d|2[0-3]):[0-5]\d$/,
          meant: (value) => (/^\d:[0-5]\d$/.test(value) ? `0${value}` : undefined),
        }),
        'Time on the clock of the account, in UTC: the next time that it shows it.',
      ),
    },
    {
      old: {
        day: () => ({
          code: 'other_form',
          message: 'The time is the next one that the clock shows. A later day is an offset.',
          allowed: 'at: { clock: "09:00" }, or an offset such as +1d9h',
        }),
      },
    },
  ),
);

export const instant = once(() =>
  oneOfSchemas<string | ValueOf<typeof afterCall> | ValueOf<typeof clockTime>>(
    [offset(), afterCall(), clockTime()],
    (kind, keys) => {
      if (kind !== 'map') return offset();
      return keys.some((key) => key === 'clock' || key === 'day') ? clockTime() : afterCall();
    },
    'an offset from activation such as +5m or +24h2m, { after: first message.send, by: 5m }, or { clock: "09:00" }',
  ),
);
/**
 * An offset from activation; one from the first call at a hook or the first time that a rule applies; or the next time
 * that the account's clock shows a time.
 */
export type Instant = ValueOf<typeof instant>;
