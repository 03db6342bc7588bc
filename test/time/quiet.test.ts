/** Whether an application is idle, on machine time that the test moves. */
import { expect, it } from 'vitest';
import { Quiet, type CallEnd } from '../../src/time/quiet.js';

const ok: CallEnd = { status: 200, retryAfterMs: 0 };

function scripted() {
  let nowMs = 1_000;
  const quiet = new Quiet({ monotonic: () => nowMs });
  const pass = (ms: number) => void (nowMs += ms);
  /** A call that takes so long. */
  const call = (tookMs = 1, end = ok, name = 'POST /v1/messages') => {
    const ended = quiet.began(name);
    pass(tookMs);
    ended(end);
  };
  return { quiet, pass, call };
}

it('an application is busy while a call has no response, but not for ever', () => {
  const { quiet, pass } = scripted();
  const ended = quiet.began('POST /v1/messages');
  expect([quiet.isBusy, quiet.isWaiting]).toEqual([true, true]);
  pass(74_999);
  expect(quiet.isBusy).toBe(true);
  pass(1);
  expect([quiet.isBusy, quiet.isWaiting]).toEqual([false, true]);
  ended(ok);
  expect(quiet.isWaiting).toBe(false);
});

it('reads are no activity: an application that only looks is idle', () => {
  const { quiet, pass, call } = scripted();
  pass(100);
  call(10, ok, 'GET /v1/templates');
  expect([quiet.idleMs, quiet.calls, quiet.reads, quiet.changes]).toEqual([110, 1, 1, 0]);
  call(10);
  expect([quiet.idleMs, quiet.calls, quiet.changes, quiet.latestCall]).toEqual([0, 2, 1, 'POST /v1/messages']);
});

it('patience is usual at first, then longer than every pause seen', () => {
  const { quiet, pass, call } = scripted();
  expect([quiet.patienceMs(), quiet.patienceMs(2_000)]).toEqual([500, 2_000]);
  call();
  for (const pauseMs of [40, 300, 20]) {
    pass(pauseMs);
    call();
  }
  expect([quiet.patienceMs(), quiet.patienceMs(2_000)]).toEqual([500, 2_000]);
  const quick = scripted();
  quick.call();
  for (const pauseMs of [10, 20]) {
    quick.pass(pauseMs);
    quick.call();
  }
  expect(quick.quiet.patienceMs()).toBe(120);
});

it('a call that failed is waited for: as long as its response says, as usual, or as is known', () => {
  const { quiet, pass, call } = scripted();
  call(1, { status: 429, retryAfterMs: 2_000 });
  expect(quiet.untilIdleForMs(100)).toBe(2_100);
  pass(2_000);
  call();
  expect(quiet.untilIdleForMs(100)).toBe(100);
  call(1, { status: 503, retryAfterMs: 0 });
  expect(quiet.untilIdleForMs(100)).toBe(600);
  quiet.know({ retryMs: 3_000 });
  call();
  call(1, { status: null, retryAfterMs: 0 });
  expect([quiet.untilIdleForMs(100), quiet.patienceMs(200)]).toEqual([3_100, 200]);
  quiet.know({ retryMs: 3_000, failsBy: 'explore-' });
  call(1, { status: 429, retryAfterMs: 0, rule: null });
  expect(quiet.untilIdleForMs(100)).toBe(100);
  call(1, { status: 429, retryAfterMs: 0, rule: 'explore-otp.verify-1-429' });
  expect(quiet.untilIdleForMs(100)).toBe(3_100);
  quiet.forget();
  call(1, { status: 429, retryAfterMs: 61_000 });
  expect(quiet.untilIdleForMs(100)).toBe(100);
});

it('a pause before the repetition of a failed call counts after failures only', () => {
  const { quiet, pass, call } = scripted();
  const locked: CallEnd = { status: 429, retryAfterMs: 0, body: '{"code":"1"}' };
  call();
  for (const pauseMs of [40, 20]) {
    pass(pauseMs);
    call();
  }
  call(1, locked);
  pass(1_900);
  call(1, locked);
  expect(quiet.patienceMs()).toBe(120);
  // The next repetition may be due twice as long after the failure.
  expect(quiet.untilIdleForMs(100)).toBe(3_900);
  pass(4_500);
  call(1, { ...ok, body: '{"code":"2"}' });
  expect(quiet.patienceMs()).toBeGreaterThan(120);
});

it('an application that only repeats calls that fail is not waited for any longer', () => {
  const { quiet, pass, call } = scripted();
  call();
  for (let i = 0; i < 20; i += 1) {
    pass(1_000);
    call(1, { status: 503, retryAfterMs: 1_000 });
  }
  expect(quiet.untilIdleForMs(500)).toBe(0);
});

it('a call to another customer does not end the wait for the repetition of a failed one', () => {
  const { quiet, pass } = scripted();
  quiet.know({ retryMs: 2_000 });
  const send = (body: string, status: number) => {
    quiet.began('POST /v1/messages')({ status, retryAfterMs: 0, body });
    return quiet.untilIdleForMs(150);
  };
  expect(send('to Ann', 503)).toBe(2_150);
  pass(500);
  expect(send('to Bob', 201)).toBe(1_650);
  expect(send('to Ann', 201)).toBe(150);
});

it('a new generation forgets calls under way, but not the pace', () => {
  const { quiet, pass, call } = scripted();
  call();
  for (const pauseMs of [900, 900]) {
    pass(pauseMs);
    call();
  }
  const ended = quiet.began('POST /v1/messages');
  quiet.forget();
  expect([quiet.calls, quiet.isBusy, quiet.patienceMs()]).toEqual([0, false, 1_400]);
  ended({ status: 429, retryAfterMs: 60_000 });
  expect(quiet.untilIdleForMs(10)).toBe(10);
});

it('a jump over an hour needs 20 ms more, and one over several days as much as over one', () => {
  const skipped = [-5, 3_600_000, 86_400_000, 864_000_000];
  expect(skipped.map((ms) => Quiet.beforeJump(100, ms))).toEqual([100, 120, 580, 580]);
});
