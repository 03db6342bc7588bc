import { describe, expect, it } from 'vitest';
import { Cutoff } from '../../src/webhooks/sender/cutoff.js';
import { SendFailure } from '../../src/webhooks/sender/send-failure.js';

const timeout = new SendFailure('timeout', 'Too late.');
const closed = new SendFailure('sender_closed', 'Shut down.');

describe('Cutoff', () => {
  it('keeps the first reason and tells everyone once', () => {
    const cutoff = new Cutoff();
    const heard: string[] = [];
    cutoff.onCut(({ code }) => heard.push(`a ${code}`));
    const takeBack = cutoff.onCut(({ code }) => heard.push(`b ${code}`));
    takeBack();
    cutoff.cut(timeout);
    cutoff.cut(closed);
    cutoff.onCut(({ code }) => heard.push(`late ${code}`));
    expect(heard).toEqual(['a timeout', 'late timeout']);
    expect(cutoff.reason).toBe(timeout);
  });

  it('lets go of work that cannot be interrupted, and of nothing else', async () => {
    const cutoff = new Cutoff();
    await expect(cutoff.orEnd(Promise.resolve(1))).resolves.toBe(1);
    await expect(cutoff.orEnd(Promise.reject(closed))).rejects.toBe(closed);
    const stuck = cutoff.orEnd(new Promise(() => undefined));
    cutoff.cut(timeout);
    await expect(stuck).rejects.toBe(timeout);
  });
});
