/** The reference of explore names each fault as the cells do, so that a reader can write `--only`, `--ignore` and `--require`. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { restartsIn } from '../../src/beside/server-story.js';
import { faultsAt } from '../../src/explore/faults/faults.js';
import { storyFaultsIn } from '../../src/explore/faults/story-faults.js';
import type { Point } from '../../src/explore/facts/types.js';
import { point, to } from '../explore/runs.js';

const page = readFileSync('docs/explore-reference.md', 'utf8');

/** Points at which each fault of each kind is possible. */
const points: readonly Point[] = [
  ...['message.send', 'message.get', 'otp.send', 'otp.verify', 'template.create', 'webhook.create', 'service'].flatMap(
    (kind, i) =>
      [true, false].map((batch) => ({ ...point, kind, batch, match: { to, type: 'template' }, atMs: i * 60_000 })),
  ),
  ...['message.received', 'message.status', 'message.received', 'message.send'].map((kind, i) => ({
    ...{
      ...point,
      kind,
      when: 'webhook.deliver' as const,
      match: { status: 'sent' },
      nth: i,
      atMs: 600_000 + i * 60_000,
    },
  })),
  { ...point, atMs: 900_000 },
  { ...point, atMs: 960_000 },
];

const inStories = storyFaultsIn(
  { scenario: { expect: [{ that: 'sent', max: 0 }] }, timeline: [], stepsMs: [960_000] },
  points,
);
const all = [
  ...points.flatMap((one) => faultsAt(one, true).map(({ id }) => id)),
  ...[...inStories, ...restartsIn({ stepsMs: [0, 1, 2, 3] } as never, points)].map(({ fault: { id } }) => id),
];

it.each([...new Set(all)])('%s is on the page', (id) => {
  expect(page).toMatch(new RegExp(`\\((?:[^)]*, )?\`(?:service/)?${id}\`[,)]`));
});

it('faults of stories and restarts are among them', () => {
  expect(all).toEqual(
    expect.arrayContaining(['swapped', 'again-later', 'hurry', 'stranger', 'overtaken', 'restart-503']),
  );
});
