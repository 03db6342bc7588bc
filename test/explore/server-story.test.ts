/** How a try of a server waits for the states of its story. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ApplicationProcess } from '../../src/beside/application-process.js';
import { serverStory } from '../../src/beside/server-story.js';
import { readState, readStory } from '../../src/beside/story-file.js';
import type { StoryPlay } from '../../src/beside/story-play.js';
import { Unread } from '../../src/stage/application-user.js';
import type { Placed } from '../../src/explore/facts/types.js';
import { fault } from './runs.js';

it('names the step of a story that comes at no offset', () => {
  const read = (step: string) => {
    const path = join(mkdtempSync(join(tmpdir(), 'story-')), 'story.yaml');
    writeFileSync(path, `version: 1\ntimeline:\n  - { at: +1m, http: { url: /a } }\n  - ${step}\n`);
    return () => readStory(path);
  };
  const offset = 'For a step of the application, explore needs an offset, such as at: +5m, without "every".';
  expect(read('{ at: +2m, every: 1s, count: 5, http: { url: /b } }')).toThrow(`timeline[1] has every: 1s. ${offset}`);
  expect(read('{ at: { clock: "09:00" }, http: { url: /b } }')).toThrow(
    `timeline[1] has at: {"clock":"09:00"}. ${offset}`,
  );
  expect(read('{ at: +2m, http: { url: /b } }')).not.toThrow();
});

const file = { scenario: {}, timeline: [], stepsMs: [], state: [], endMs: 0 };

async function playing(
  placed: Placed | null,
  stage: object = {},
  onCall: (isAttached: boolean) => unknown = () => null,
  onAttach: (application: ApplicationProcess) => void = () => undefined,
) {
  let application: ApplicationProcess | undefined;
  const nothing = () => Promise.resolve(null);
  const ending = await serverStory({ app: 'sleep 9', waitFor: null, story: file, graceMs: 0 })({
    ...{
      variables: process.env,
      account: { call: () => Promise.resolve(onCall(application !== undefined)), clock: { advance: nothing } },
      placed: placed ? [placed] : [],
    },
    stage: {
      ...{
        freeze: () => undefined,
        know: () => undefined,
        untilReady: (ready: Promise<void>) => ready,
        firstCall: nothing,
        play: nothing,
      },
      ...{ calls: 0, isWaiting: false, unmet: () => [], unmetSteps: [], ...stage },
    },
    attach: (own: ApplicationProcess) => onAttach((application = own)),
    patience: { realMs: placed ? 1_000 : 0, returnMs: 1_000, callMs: 1_000, limitMs: 9_000 },
    ...{ inVain: new Promise(() => undefined), comebacks: [] },
  } as unknown as StoryPlay);
  return { ending, untilMs: application?.untilMs };
}

/** Returns the machine milliseconds that a step waits for its state. */
const untilMsIn = async (...parts: Parameters<typeof playing>) => (await playing(...parts)).untilMs;

it('fails by a 5xx that a step does not expect', async () => {
  const failureOf = async (status?: string[]) => {
    const call = { url: '/release', body: {}, ...(status && { status }) };
    const { ending } = await playing(null, {}, undefined, ({ onResponse }) =>
      onResponse?.(call, { status: 502, isSentAway: false }),
    );
    return ending.failure;
  };
  expect(await failureOf()).toBe('POST /release got the response 502');
  expect(await failureOf(['200'])).toBe('POST /release got the response 502');
  expect([await failureOf(['200', '502']), await failureOf(['5xx'])]).toEqual([null, null]);
});

it('fails by a call for which its user lacks a value, and says which', async () => {
  const lacked = 'a value for ${code +12025550101}; no code was sent to +12025550101';
  const { ending } = await playing(null, {}, undefined, ({ onResponse }) =>
    onResponse?.({ url: '/login', body: {} }, { status: null, lacked, isSentAway: false }),
  );
  expect(ending.failure).toBe(`the user could not call POST /login, for lack of ${lacked}`);
});

it('knows how long an application waits before it repeats a call already while it starts', async () => {
  const order: unknown[] = [];
  await untilMsIn(fault('503'), {
    know: (pace: object) => order.push(pace),
    untilReady: () => Promise.resolve(order.push('ready')),
  });
  expect(order).toEqual([{ retryMs: 1_000, callMs: 1_000 }, 'ready']);
});

it('sets a story only when its first step, at +0s, can reach the application', async () => {
  const attached: boolean[] = [];
  await untilMsIn(null, {}, (isAttached) => attached.push(isAttached));
  expect(attached).toEqual([true]);
});

it('waits for a state as long as the application needs to recover, and briefly where it may never come', async () => {
  const once = fault('503');
  const waits = await Promise.all([
    untilMsIn(null),
    untilMsIn(once),
    untilMsIn(once, { missedState: '/orders/42#state: read' }),
    untilMsIn(once, { isWaiting: true }),
    untilMsIn(fault('window-closed')),
  ]);
  expect(waits).toEqual([undefined, 16_000, 3_000, 3_000, 3_000]);
});

it('leaves out the fields that a story names, wherever they occur', async () => {
  const orders = [{ number: '42', attempts: 3, log: { attempts: 1, last: 'sent' } }];
  const read = (paths: readonly string[]) => Promise.resolve(Object.fromEntries(paths.map((path) => [path, orders])));
  expect(await readState(['/a', { url: '/b', not: ['attempts'] }], read)).toEqual({
    '/a': orders,
    '/b': [{ number: '42', log: { last: 'sent' } }],
  });
  const none = new Unread('404', true);
  expect(await readState([{ url: '/c', not: ['reason'] }], () => Promise.resolve({ '/c': none }))).toEqual({
    '/c': none,
  });
  expect(await readState([], read)).toBeNull();
});
