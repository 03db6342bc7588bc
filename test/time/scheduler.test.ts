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
    stage.plan('scenario.judge', 'judge', 5);
    stage.plan('endpoint.pause', 'pause', 5);
    stage.plan('delivery.attempt', 'attempt', 5);
    stage.plan('message.status', 'first', 5);
    stage.plan('template.review', 'second', 5);
    stage.plan('endpoint.pause', 'earlier', 4);
    await stage.scheduler.advance(startMs + 5);
    expect(stage.log).toEqual(['earlier@4', 'first@5', 'second@5', 'attempt@5', 'pause@5', 'judge@5']);
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

  it('runs what a job makes due at its own instant before time moves, by kind again', async () => {
    const stage = stageOf();
    stage.on['message.status'] = (job) => {
      if (job.subject === 'cause') {
        stage.plan('endpoint.pause', 'deadline', 5);
        stage.plan('message.status', 'effect', 5);
      }
      return undefined;
    };
    stage.plan('message.status', 'cause', 5);
    stage.plan('delivery.attempt', 'event', 5);
    stage.plan('message.status', 'next', 6);
    await stage.scheduler.advance(startMs + hour);
    expect(stage.log).toEqual(['cause@5', 'effect@5', 'event@5', 'deadline@5', 'next@6']);
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

  it('runs what is overdue at the present instant, not in the past', async () => {
    const stage = stageOf();
    await stage.scheduler.advance(startMs + 100);
    stage.plan('message.status', 'late', 20);
    await stage.scheduler.advance(startMs + 100);
    expect(stage.log).toEqual(['late@100']);
  });

  it('until idle follows progress, with deadlines on the way but not behind it', async () => {
    const stage = stageOf();
    stage.plan('endpoint.pause', 'on the way', 1_000);
    stage.plan('message.status', 'progress', 2_000);
    stage.plan('endpoint.pause', 'behind', 3_000);
    await stage.scheduler.advance(startMs + hour, { until: 'idle' });
    expect(stage.log).toEqual(['on the way@1000', 'progress@2000']);
    expect(stage.nowOffset()).toBe(2_000);
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
  it('stops the advance, names its cycle, and leaves the scheduler usable', async () => {
    const stage = stageOf();
    stage.on['message.status'] = () => void stage.plan('customer.writes', 'ping', stage.nowOffset());
    stage.on['customer.writes'] = () => void stage.plan('message.status', 'pong', stage.nowOffset());
    stage.plan('message.status', 'pong', 7);
    const advanced = stage.scheduler.advance(startMs + hour);
    await expect(advanced).rejects.toMatchObject({ code: 'clock_loop' });
    await expect(advanced).rejects.toThrow(/customer\.writes of ping → message\.status of pong/);
    expect(stage.log.length).toBeGreaterThan(10_000);
    expect(stage.nowOffset()).toBe(7);
    stage.on['message.status'] = () => undefined;
    stage.on['customer.writes'] = () => undefined;
    stage.plan('message.status', 'after', 100);
    await stage.scheduler.advance(startMs + 100);
    expect(stage.log.at(-1)).toBe('after@100');
  });

  it('is not a crowd: 20,000 jobs of one cause are fine', async () => {
    const stage = stageOf();
    stage.on['customer.writes'] = () => {
      for (let i = 0; i < 20_000; i += 1) stage.plan('message.status', 'm', 5);
      return undefined;
    };
    stage.plan('customer.writes', 'root', 5);
    const { ran } = await stage.scheduler.advance(startMs + 5);
    expect(ran).toHaveLength(20_001);
  });
});

describe('cancelling', () => {
  it('takes a job out, and its time is not stopped at', async () => {
    const stage = stageOf();
    const job = stage.plan('message.status', 'gone', 10);
    stage.plan('message.status', 'stays', 20);
    stage.store.update(() => stage.scheduler.cancel(job));
    expect(stage.scheduler.nextDueMs()).toBe(startMs + 20);
    await stage.scheduler.advance(startMs + 30);
    expect(stage.log).toEqual(['stays@20']);
  });

  it('takes all of a subject, or those of one kind', async () => {
    const stage = stageOf();
    stage.plan('message.status', 'm', 1);
    stage.plan('delivery.attempt', 'm', 2);
    stage.plan('message.status', 'other', 3);
    stage.store.update(() => stage.scheduler.cancelOf('m', 'message.status'));
    await stage.scheduler.advance(startMs + 2);
    stage.plan('delivery.attempt', 'other', 5);
    stage.store.update(() => stage.scheduler.cancelOf('other'));
    await stage.scheduler.advance(startMs + hour);
    expect(stage.log).toEqual(['m@2']);
  });

  it('works from inside a job on one that is due at the same instant', async () => {
    const stage = stageOf();
    const victim = stage.plan('delivery.attempt', 'victim', 5);
    stage.on['message.status'] = () => {
      stage.scheduler.cancel(victim);
      return undefined;
    };
    stage.plan('message.status', 'killer', 5);
    await stage.scheduler.advance(startMs + 5);
    expect(stage.log).toEqual(['killer@5']);
  });
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
  it('runs when asked for on a frozen clock, and what lies ahead does not', () => {
    const stage = stageOf();
    stage.plan('message.status', 'now', 0);
    stage.plan('message.status', 'ahead', 1);
    stage.scheduler.runDue();
    expect(stage.log).toEqual(['now@0']);
  });

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
  it('runs each job at its time without any call, with one timer at most', () => {
    const stage = stageOf('real');
    stage.plan('message.status', 'b', 200);
    stage.plan('message.status', 'a', 100);
    expect([stage.host.pending, stage.host.nextInMs]).toEqual([1, 100]);
    stage.host.tick(99);
    expect(stage.log).toEqual([]);
    stage.host.tick(1);
    expect([stage.log, stage.host.pending, stage.host.nextInMs]).toEqual([['a@100'], 1, 100]);
    stage.host.tick(100);
    expect([stage.log, stage.host.pending]).toEqual([['a@100', 'b@200'], 0]);
  });

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

describe('an auto clock', () => {
  it('jumps from progress to progress, runs deadlines on the way, and is not pulled by them', async () => {
    const stage = stageOf('auto');
    stage.plan('endpoint.pause', 'on the way', 500);
    stage.plan('message.status', 'a', 1_000);
    stage.plan('message.status', 'b', hour);
    stage.plan('endpoint.pause', 'behind', 2 * hour);
    for (let turns = 0; turns < 10; turns += 1) await new Promise<void>((resolve) => stage.host.defer(resolve));
    expect(stage.log).toEqual(['on the way@500', 'a@1000', `b@${hour}`]);
    expect(stage.nowOffset()).toBe(hour);
  });

  it('waits for what is in flight', async () => {
    const stage = withReceivers(stageOf('auto'));
    stage.plan('delivery.attempt', 'd', 0);
    stage.scheduler.runDue();
    stage.plan('message.status', 'a', 1_000);
    for (let turns = 0; turns < 5; turns += 1) await new Promise<void>((resolve) => stage.host.defer(resolve));
    expect(stage.log).toEqual(['d@0']);
    stage.receivers.answer(stage, 'd');
    for (let turns = 0; turns < 5; turns += 1) await new Promise<void>((resolve) => stage.host.defer(resolve));
    expect(stage.log).toEqual(['d@0', 'a@1000']);
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
