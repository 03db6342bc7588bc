/** How a message travels on the channel, as a scenario writes it (contract §5, slot `lifecycle`). */
import { LIFECYCLE_STATUSES, lifecycleSteps, lifecycleWords } from '../engine/lifecycles.js';
import { text } from './scalars.js';
import { byKind, named, type Shape } from './shape.js';
import { list, object, optional } from './structures.js';
import { channelErrorName, duration } from './texts.js';

/** Durations are kept as written: `500ms`, `1h30m`, or a seeded range `2s..8s`. */
export type DurationText = string;

/** Exactly one of the four states, with its offset from acceptance; `error` belongs to `failed` alone. */
export interface LifecycleStep {
  sent?: DurationText;
  delivered?: DurationText;
  read?: DurationText;
  failed?: DurationText;
  /** Name or number of a failure of the channel. */
  error?: string;
}

/** The name of a preset (`happy`), the name or number of a failure of the channel, or the steps themselves. */
export type Lifecycle = string | LifecycleStep[];

const step: Shape<LifecycleStep> = named('LifecycleStep', 'one state and its offset', '{ sent: 1s }', () =>
  object<LifecycleStep>(
    {
      sent: optional(duration, 'The channel reports sent, this long after acceptance.'),
      delivered: optional(duration, 'The channel reports delivered, this long after acceptance.'),
      read: optional(duration, 'The customer reads it, this long after acceptance.'),
      failed: optional(duration, 'The channel reports failed, this long after acceptance.'),
      error: optional(
        channelErrorName,
        'With failed: why. Name or number of a failure of the channel; default unknown_error.',
      ),
    },
    {
      exactlyOne: LIFECYCLE_STATUSES,
      check(value, _place, placeOf) {
        if (value.error === undefined || value.failed !== undefined) return;
        const message = 'An error belongs to "failed"; this step has another state.';
        placeOf('error').complain({ code: 'misplaced_key', message, allowed: '{ failed: 5s, error: undeliverable }' });
      },
    },
  ),
);

const name = text({
  allowed: 'a preset or a failure of the channel by name or number',
  example: 'happy',
  check: (value) =>
    lifecycleSteps(value) === undefined
      ? {
          code: 'unknown_word',
          message: 'There is no lifecycle of this name.',
          words: lifecycleWords,
          allowed: `${lifecycleWords.join(', ')}, or steps such as [sent: 1s, delivered: 2s]`,
        }
      : undefined,
});

export const lifecycleShape: Shape<Lifecycle> = named(
  'Lifecycle',
  'a preset, a failure of the channel, or a list of steps',
  '[sent: 1s, delivered: 2s]',
  () => byKind({ scalar: name, list: list(step, { max: 20 }) }),
);
