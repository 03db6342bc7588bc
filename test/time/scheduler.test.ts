import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareJobs } from '../../src/time/jobs.js';
import type { JobKind } from '../../src/domain/words.js';
import { stageOf, startMs, type Stage } from './support/stage.js';
import { cases } from '../support/property.js';

const hour = 3_600_000;

/** Opens an attempt with each delivery job: the job ends with its answer. */
function withReceivers(stage: Stage): Stage {
  stage.on['delivery.attempt'] = (job) => {
    stage.receivers.start(job);
    return 'later';
  };
  return stage;
}

describe('order', () => {
  it('at one instant goes by kind, then by who came first', async () => {
    const stage = stageOf();
    for (const kind of ['scenario.judge', 'endpoint.pause', 'delivery.attempt', 'message.status'] as const)
      stage.plan(kind, kind, 5);
    stage.plan('template.review', 'second', 5);
    await stage.scheduler.advance(startMs + 5);
    const order = ['message.status', 'second', 'delivery.attempt', 'endpoint.pause', 'scenario.judge'];
    expect(stage.log).toEqual(order.map((subject) => `${subject}@5`));
  });

  it('is that of due times, however they were planned, and every job runs once, at its own instant', async () => {
    const kinds = fc.constantFrom<JobKind>('message.status', 'delivery.attempt', 'endpoint.pause');
    const jobs = fc.array(fc.record({ kind: kinds, offset: fc.integer({ min: 0, max: 20 }) }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(jobs, fc.array(fc.integer({ min: 0, max: 10 }), { maxLength: 6 }), async (planned, steps) => {
        const stage = stageOf();
        const made = planned.map(({ kind, offset }, i) => stage.plan(kind, `j${i}`, offset));
        // However the way is cut into advances, the same happens.
        for (const step of steps) {
          if (step === 0) await stage.scheduler.advance(startMs + 20, { until: 'next' });
          else {
            const target = stage.clock.now() + step;
            await stage.scheduler.advance(target);
            expect(stage.clock.now()).toBe(target);
          }
        }
        await stage.scheduler.advance(Math.max(stage.clock.now(), startMs + 20));
        const expected = [...made].sort(compareJobs);
        expect(stage.log).toEqual(expected.map((job) => `${job.subject}@${job.dueMs - startMs}`));
        expect(stage.scheduler.pending).toBe(0);
      }),
      { numRuns: cases(60) },
    );
  });
});

describe('an advance', () => {
  it('leaves the event loop between many jobs of one instant, and a call in between does not run the others', async () => {
    const stage = stageOf();
    for (let i = 0; i < 1_000; i += 1) stage.plan('message.status', `j${i}`, 5);
    const advance = stage.scheduler.advance(startMs + 5);
    await new Promise<void>((resolve) => stage.host.defer(resolve));
    const before = stage.log.length;
    expect(before).toBeGreaterThan(0);
    stage.scheduler.runDue();
    expect(stage.log).toHaveLength(before);
    await advance;
    expect(stage.log).toHaveLength(1_000);
  });

  it('until next counts from the answers that are awaited: what one of them makes due may come first', async () => {
    const stage = withReceivers(stageOf());
    stage.plan('delivery.attempt', 'a', 0);
    stage.plan('endpoint.pause', 'far', hour);
    stage.scheduler.runDue();
    const advanced = stage.scheduler.advance(startMs + 24 * hour, { until: 'next' });
    stage.receivers.answer(stage, 'a', () => stage.plan('message.status', 'near', 60_000));
    await advanced;
    expect([stage.log, stage.nowOffset()]).toEqual([['a@0', 'near@60000'], 60_000]);
  });
});

describe('a chain that does not end', () => {
  it('is not a crowd: 11,000 jobs of one cause are fine', async () => {
    const stage = stageOf();
    stage.on['customer.writes'] = () => {
      for (let i = 0; i < 11_000; i += 1) stage.plan('message.status', 'm', 5);
      return undefined;
    };
    stage.plan('customer.writes', 'root', 5);
    const { ran } = await stage.scheduler.advance(startMs + 5);
    expect(ran).toHaveLength(11_001);
  });
});

it('cancels all jobs of a subject, or those of one kind', async () => {
  const stage = stageOf();
  stage.plan('message.status', 'm', 1);
  stage.plan('delivery.attempt', 'm', 2);
  stage.store.update(() => stage.scheduler.cancelOf('m', 'message.status'));
  await stage.scheduler.advance(startMs + 2);
  stage.plan('delivery.attempt', 'm', 5);
  stage.store.update(() => stage.scheduler.cancelOf('m'));
  await stage.scheduler.advance(startMs + hour);
  expect(stage.log).toEqual(['m@2']);
});

describe('a job that throws', () => {
  it('is reported, is gone, and stops nobody else', async () => {
    const stage = stageOf();
    stage.on['message.status'] = () => {
      throw new Error('a bug');
    };
    const job = stage.plan('message.status', 'bad', 5);
    stage.plan('delivery.attempt', 'good', 5);
    await stage.scheduler.advance(startMs + 5);
    expect(stage.log).toEqual(['bad@5', 'good@5']);
    expect(stage.reported).toEqual([{ error: new Error('a bug'), job }]);
    expect(stage.scheduler.pending).toBe(0);
  });
});

describe('what is due now', () => {
  it('asked for from inside a job waits for that job to end', () => {
    const stage = stageOf();
    stage.on['message.status'] = (job) => {
      if (job.subject === 'outer') {
        stage.plan('message.status', 'inner', 0);
        stage.scheduler.runDue();
        stage.log.push('outer ends');
      }
      return undefined;
    };
    stage.plan('message.status', 'outer', 0);
    stage.scheduler.runDue();
    expect(stage.log).toEqual(['outer@0', 'outer ends', 'inner@0']);
  });

  it('runs at the instant it was due on a flowing clock, however late the machine is', () => {
    const stage = stageOf('real');
    stage.plan('message.status', 'a', 10);
    stage.plan('message.status', 'b', 20);
    stage.host.tick(5_000);
    stage.scheduler.runDue();
    expect(stage.log).toEqual(['a@10', 'b@20']);
    expect(stage.nowOffset()).toBe(5_000);
  });
});

describe('the timer of a flowing clock', () => {
  it('is set anew with the jobs of a store that was replaced', () => {
    const stage = stageOf('real');
    const old = stage.plan('message.status', 'old', 50);
    stage.store.update(() => {
      stage.store.tables.jobs.delete(old);
      stage.store.tables.jobs.insert({
        id: 'job_new',
        seq: 99,
        kind: 'message.status',
        subject: 'new',
        dueMs: startMs + 80,
      });
    });
    stage.scheduler.reload();
    expect(stage.host.pending).toBe(1);
    stage.host.tick(80);
    expect(stage.log).toEqual(['new@80']);
  });
});

describe('closing', () => {
  it('stops the timer, and nothing runs any more', () => {
    const stage = stageOf('real');
    stage.plan('message.status', 'a', 10);
    stage.scheduler.close();
    expect(stage.host.pending).toBe(0);
    stage.host.tick(1_000);
    stage.scheduler.runDue();
    expect(stage.log).toEqual([]);
    // It stays in the store: the next start runs it.
    expect(stage.scheduler.pending).toBe(1);
  });

  it('gives an application more time to be idle when this process was busy, a few times in a row', () => {
    const quietMs = 150;
    const stage = stageOf('auto');
    stage.clock.set('auto', 1, startMs, { quietMs });
    stage.plan('message.status', 'sent', hour);
    stage.scheduler.rearm();
    // Of the idle time, 20 ms are for the hour that is skipped.
    stage.host.stall(quietMs + 20 + 40);
    stage.host.tick(39);
    expect(stage.log).toEqual([]);
    stage.host.tick(1);
    expect(stage.log).toEqual([`sent@${hour}`]);
    stage.plan('message.status', 'read', 3 * hour);
    stage.scheduler.rearm();
    let stalls = 0;
    for (; stage.log.length === 1; stalls += 1) {
      stage.host.stall(2 * quietMs);
      stage.host.tick(0);
    }
    expect(stalls).toBe(5);
  });

  it('hurries on up to a time, although a call failed or has no response, and then waits again', () => {
    const quietMs = 150;
    const stage = stageOf('auto');
    stage.clock.set('auto', 1, startMs, { quietMs });
    stage.scheduler.hurriesUntilMs = startMs + hour;
    stage.scheduler.parts.quiet.began('POST /v1/otp/send');
    stage.scheduler.parts.quiet.began('POST /v1/messages')({ status: 503, retryAfterMs: 30_000 });
    stage.plan('message.status', 'step', hour);
    stage.plan('message.status', 'later', 2 * hour);
    stage.scheduler.rearm();
    stage.host.tick(quietMs + 20);
    expect(stage.log).toEqual([`step@${hour}`]);
    stage.host.tick(20_000);
    expect(stage.log).toEqual([`step@${hour}`]);
  });

  it('ends an advance that waits for a quiet', async () => {
    const stage = stageOf();
    stage.plan('message.status', 'never', 10);
    const advanced = stage.scheduler.advance(startMs + hour, { settleRealMs: 1_000 });
    await stage.host.armed();
    stage.scheduler.close();
    await expect(advanced).rejects.toMatchObject({ code: 'clock_interrupted' });
    expect(stage.log).toEqual([]);
    expect(stage.host.pending).toBe(0);
  });
});
