import { expect, it } from 'vitest';
import { IdleTimer } from '../../src/store/disk/timers.js';
import { ManualHost } from '../support/manual-host.js';

function watched() {
  const host = new ManualHost();
  const seen = { count: 0, lulls: 0 };
  const lull = new IdleTimer({ host, everyMs: 1000, count: () => seen.count, onIdle: () => (seen.lulls += 1) });
  return { host, seen, lull };
}

it('tells once that nothing came between two looks', () => {
  const { host, seen, lull } = watched();
  lull.watch();
  host.tick(999);
  expect(seen.lulls).toBe(0);
  host.tick(1);
  expect(seen.lulls).toBe(1);
  host.tick(5000);
  expect(seen.lulls).toBe(1);
});

it('goes on looking while something comes', () => {
  const { host, seen, lull } = watched();
  lull.watch();
  host.tick(500);
  seen.count += 1;
  lull.watch();
  host.tick(500);
  expect(seen.lulls).toBe(0);
  host.tick(1000);
  expect(seen.lulls).toBe(1);
});

it('tells nothing after its end', () => {
  const { host, seen, lull } = watched();
  lull.watch();
  lull.stop();
  host.tick(5000);
  expect(seen.lulls).toBe(0);
});
