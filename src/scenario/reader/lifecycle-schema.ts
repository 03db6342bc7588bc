/** Statuses that the channel reports about a message: a preset, a failure by name, or steps. */
import { lifecycleSteps, lifecycleWords } from '../engine/lifecycles.js';
import { LIFECYCLE_STATUSES, type Lifecycle, type LifecycleStep } from '../language/slots.js';
import { text } from './scalars.js';
import { byKind, named, type Shape } from './shape.js';
import { list, object, optional } from './structures.js';
import { channelErrorName, duration } from './texts.js';

const step: Shape<LifecycleStep> = named('LifecycleStep', 'one status and its offset', '{ sent: 1s }', () =>
  object<LifecycleStep>(
    {
      sent: optional(duration, 'The channel reports sent this long after acceptance.'),
      delivered: optional(duration, 'The channel reports delivered this long after acceptance.'),
      read: optional(duration, 'The channel reports read this long after acceptance.'),
      failed: optional(duration, 'The channel reports failed this long after acceptance.'),
      error: optional(channelErrorName, 'With failed: name or number of the channel failure. Default: unknown_error.'),
    },
    {
      exactlyOne: LIFECYCLE_STATUSES,
      check(value, _place, placeOf) {
        if (value.error === undefined || value.failed !== undefined) return;
        const message = 'error needs failed; this step has another status.';
        placeOf('error').report({ code: 'misplaced_key', message, allowed: '{ failed: 5s, error: undeliverable }' });
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
          orElse: 'or steps such as [sent: 1s, delivered: 2s]',
        }
      : undefined,
});

export const lifecycleShape: Shape<Lifecycle> = named(
  'Lifecycle',
  'a preset, a failure of the channel, or a list of steps',
  '[sent: 1s, delivered: 2s]',
  () => byKind({ scalar: name, list: list(step, { max: 20 }) }),
);
