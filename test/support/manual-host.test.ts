import { describe, expect, it } from 'vitest';
import { ManualHost } from './manual-host.js';

describe('ManualHost', () => {
  it('fires in order of due time, then of setting, each at its own instant', () => {
    const host = new ManualHost(1_000);
    const seen: string[] = [];
    const note = (name: string) => () => seen.push(`${name}@${host.now()}`);
    host.setTimer(20, note('late'));
    host.setTimer(10, note('first'));
    host.setTimer(10, note('second'));
    host.setTimer(10, () => host.setTimer(5, note('nested')));
    const cancel = host.setTimer(1, note('cancelled'));
    cancel();
    expect(host.nextInMs).toBe(10);
    host.tick(15);
    expect(seen).toEqual(['first@1010', 'second@1010', 'nested@1015']);
    expect(host.monotonic()).toBe(15);
    host.tick(5);
    expect(seen.at(-1)).toBe('late@1020');
    expect(host.pending).toBe(0);
  });

  it('tells when the code under test has set its timers', async () => {
    const host = new ManualHost();
    const armed = host.armed(2);
    host.setTimer(1, () => undefined);
    host.setTimer(1, () => undefined);
    await armed;
    expect(host.pending).toBe(2);
  });
});
