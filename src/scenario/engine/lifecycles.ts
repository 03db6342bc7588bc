/** Lifecycles: presets by name, failures by name, steps, and the plan they make. */
import { LIFECYCLE_STATUSES, type Lifecycle, type LifecycleStep } from '../language/slots.js';
import type { LifecyclePlan, PlannedStatus } from './effects.js';
import { drawFrom, parseRange, type Draw } from './ranges.js';
import { channelErrors, findChannelError, type ChannelError } from '../../domain/channel-errors.js';
import { nearestWord } from '../../domain/nearest-word.js';

export interface LifecyclePreset {
  readonly name: string;
  /** One sentence for the documentation. */
  readonly description: string;
  readonly steps: readonly LifecycleStep[];
}

export const lifecyclePresets: readonly LifecyclePreset[] = [
  {
    name: 'happy',
    description: 'Sent, delivered and read within a second.',
    steps: [{ sent: '0s' }, { delivered: '300ms' }, { read: '1s' }],
  },
  { name: 'unread', description: 'Sent and delivered, never read.', steps: [{ sent: '0s' }, { delivered: '300ms' }] },
  {
    name: 'slow',
    description: 'Sent at once, delivered after 10 minutes, read a minute later.',
    steps: [{ sent: '0s' }, { delivered: '10m' }, { read: '11m' }],
  },
  {
    name: 'next_day',
    description: 'Sent at once, delivered after 25 hours: the phone was off.',
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
    description: 'Delivered, then failed after 10 seconds for a reason the channel does not name.',
    steps: [{ sent: '0s' }, { delivered: '300ms' }, { failed: '10s', error: 'unknown_error' }],
  },
];

const presets = new Map(lifecyclePresets.map((preset) => [preset.name, preset]));

/** All names of lifecycles: presets, then failures. */
export const lifecycleWords: readonly string[] = [...presets.keys(), ...channelErrors.map(({ code }) => code)];

/** Returns the steps of a preset, or of a failure by name or number; undefined for an unknown name. */
export function lifecycleSteps(name: string): readonly LifecycleStep[] | undefined {
  const preset = presets.get(name);
  if (preset !== undefined) return preset.steps;
  const failure = findChannelError(name);
  return failure === undefined ? undefined : [{ failed: '0s', error: failure.code }];
}

/**
 * Compiles a lifecycle to a function that makes the plan of one message.
 * @throws RangeError for an unknown name; scenario files are checked before
 */
export function compileLifecycle(lifecycle: Lifecycle): (draw: Draw) => LifecyclePlan {
  const steps = typeof lifecycle === 'string' ? stepsOf(lifecycle) : lifecycle;
  const compiled = steps.map(compileStep);
  // The sort is stable: of two steps at one instant, the first written comes first.
  return (draw) => compiled.map((step, index) => step(draw, index)).toSorted((a, b) => a.offsetMs - b.offsetMs);
}

function stepsOf(name: string): readonly LifecycleStep[] {
  const steps = lifecycleSteps(name);
  if (steps !== undefined) return steps;
  const nearest = nearestWord(name, lifecycleWords);
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  throw new RangeError(`Unknown lifecycle "${name}".${meant} Allowed: ${lifecycleWords.join(', ')}.`);
}

function compileStep(step: LifecycleStep): (draw: Draw, index: number) => PlannedStatus {
  const status = LIFECYCLE_STATUSES.find((name) => step[name] !== undefined) ?? 'sent';
  const range = parseRange(step[status] ?? '0s');
  const error = status === 'failed' ? failureReason(step.error) : undefined;
  return (draw, index) => ({
    status,
    offsetMs: drawFrom(range, draw, `lifecycle ${index}`),
    ...(error !== undefined && { error }),
  });
}

/** Returns the failure of this name or number; default: `unknown_error`. @throws RangeError for an unknown one */
function failureReason(nameOrNumber: string | undefined): ChannelError {
  const failure = findChannelError(nameOrNumber ?? 'unknown_error');
  if (failure === undefined) throw new RangeError(`The channel has no failure "${String(nameOrNumber)}".`);
  return failure;
}
