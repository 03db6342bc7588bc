import { channelErrors, findChannelError } from '../domain/errors.js';

export const LIFECYCLE_STATUSES = ['sent', 'delivered', 'read', 'failed'] as const;
export type LifecycleStatus = (typeof LIFECYCLE_STATUSES)[number];

/** One status at an offset from acceptance; `error` names the failure. */
export type LifecycleStep = { readonly [Name in LifecycleStatus | 'error']?: string };

export const lifecyclePresets: readonly {
  readonly name: string;
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

export const lifecycleWords: readonly string[] = [...lifecyclePresets, ...channelErrors].map((one) =>
  'name' in one ? one.name : one.code,
);

/** A preset, or a failure by name or number; undefined for an unknown name. */
export function lifecycleSteps(name: string): readonly LifecycleStep[] | undefined {
  const failure = findChannelError(name);
  return (
    lifecyclePresets.find((preset) => preset.name === name)?.steps ??
    (failure && [{ failed: '0s', error: failure.code }])
  );
}
