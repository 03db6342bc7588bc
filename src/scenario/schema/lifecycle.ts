/** Statuses that the channel reports about a message: a preset, a failure by name, or steps. */
import { misplaced, object, optional } from './mappings.js';
import { type ValueOf } from './kit.js';
import { choice, list, text } from './values.js';
import { channelErrors, findChannelError } from '../../domain/errors.js';
import { duration } from './durations.js';
import { channelErrorName } from './texts.js';

/** The states that the channel reports. */
export const LIFECYCLE_STATUSES = ['sent', 'delivered', 'read', 'failed'] as const;
export type LifecycleStatus = (typeof LIFECYCLE_STATUSES)[number];

const step = object(
  {
    sent: optional(duration, 'The channel reports sent this long after acceptance.'),
    delivered: optional(duration, 'The channel reports delivered this long after acceptance.'),
    read: optional(duration, 'The channel reports read this long after acceptance.'),
    failed: optional(duration, 'The channel reports failed this long after acceptance.'),
    error: optional(channelErrorName, 'With failed: name or number of the channel failure. Default: unknown_error.'),
  },
  {
    name: 'LifecycleStep',
    allowed: 'one status and its offset',
    example: '{ sent: 1s }',
    exactlyOne: LIFECYCLE_STATUSES,
    check: ({ error, failed, ...others }) =>
      error !== undefined &&
      failed === undefined &&
      Object.keys(others).length > 0 &&
      misplaced('error', 'error needs failed; this step has another status.', '{ failed: 5s, error: undeliverable }'),
  },
);
export type LifecycleStep = ValueOf<typeof step>;

export const lifecyclePresets: readonly {
  readonly name: string;
  /** One sentence for the documentation. */
  readonly description: string;
  readonly steps: readonly LifecycleStep[];
}[] = [
  {
    name: 'happy',
    description: 'Sent, delivered and read within a second.',
    steps: [{ sent: '0s' }, { delivered: '300ms' }, { read: '1s' }],
  },
  { name: 'unread', description: 'Sent and delivered, never read.', steps: [{ sent: '0s' }, { delivered: '300ms' }] },
  {
    name: 'slow',
    description: 'Sent immediately, delivered after 10 minutes, read a minute later.',
    steps: [{ sent: '0s' }, { delivered: '10m' }, { read: '11m' }],
  },
  {
    name: 'next_day',
    description: 'Sent immediately, delivered after 25 hours: the phone was off.',
    steps: [{ sent: '0s' }, { delivered: '25h' }],
  },
  {
    name: 'delivered_only',
    description: 'Delivered, without sent ever being reported.',
    steps: [{ delivered: '300ms' }],
  },
  {
    name: 'out_of_order',
    description: 'Read is reported before delivered.',
    steps: [{ sent: '0s' }, { read: '1s' }, { delivered: '2s' }],
  },
  {
    name: 'duplicate',
    description: 'Delivered is reported twice, as two events.',
    steps: [{ sent: '0s' }, { delivered: '300ms' }, { delivered: '600ms' }, { read: '1s' }],
  },
  { name: 'stuck', description: 'Sent, and nothing after that.', steps: [{ sent: '0s' }] },
  { name: 'silent', description: 'Accepted, and the channel never reports anything.', steps: [] },
  {
    name: 'blocked',
    description: 'Sent, then failed after 3 seconds: the channel does not deliver to this recipient.',
    steps: [{ sent: '0s' }, { failed: '3s', error: 'not_delivered_by_channel' }],
  },
  {
    name: 'failed_after_delivery',
    description: 'Delivered, then failed after 10 seconds for an unknown reason.',
    steps: [{ sent: '0s' }, { delivered: '300ms' }, { failed: '10s', error: 'unknown_error' }],
  },
];

const presets = new Map(lifecyclePresets.map((preset) => [preset.name, preset]));

/** All names of lifecycles: presets, then failures. */
export const lifecycleWords: readonly string[] = [...presets.keys(), ...channelErrors.map(({ code }) => code)];

/** Returns the steps of a preset, or of a failure by name or number; undefined for an unknown name. */
export function lifecycleSteps(name: string): readonly LifecycleStep[] | undefined {
  const failure = findChannelError(name);
  return presets.get(name)?.steps ?? (failure && [{ failed: '0s', error: failure.code }]);
}

const name = text({
  allowed: 'a preset or a failure of the channel by name or number',
  example: 'happy',
  check(value) {
    if (lifecycleSteps(value) !== undefined) return undefined;
    const status = LIFECYCLE_STATUSES.find((one) => one === value);
    if (status !== undefined) {
      const text = `A lifecycle is a name or a list of steps; the status ${status} at once is a step.`;
      return { code: 'unknown_word', message: text, words: lifecycleWords, replacement: `[${status}: 0s]` };
    }
    const [message, orElse] = ['There is no lifecycle of this name.', 'or steps such as [sent: 1s, delivered: 2s]'];
    return { code: 'unknown_word', message, words: lifecycleWords, orElse };
  },
});

export const lifecycleSchema = choice<string | LifecycleStep[]>(
  [name, list(step, { max: 20, joins: ['failed', 'error'] })],
  'a preset, a failure of the channel, or a list of steps',
  'Lifecycle',
);
/** The name of a preset (`happy`), the name or number of a failure of the channel, or the steps themselves. */
export type Lifecycle = ValueOf<typeof lifecycleSchema>;
