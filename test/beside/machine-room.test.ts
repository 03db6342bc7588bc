import { expect, it } from 'vitest';
import { roomOnMachine } from '../../src/beside/machine-room.js';

it('is there if processors and memory are free, this process too, and the last run has shown what it takes', () => {
  const elu = (active: number, idle: number) => ({ active, idle, utilization: active / (active + idle) });
  let atMs = 0;
  let sample = { idleMs: 0, allMs: 0, own: elu(1, 1), memory: 1 };
  const hasRoom = roomOnMachine(
    () => sample,
    () => atMs,
  );
  const after = (ms: number, free: number, used: number, memory = 1) => {
    const { idleMs, allMs, own } = sample;
    atMs += ms;
    const now = elu(own.active + used * ms, own.idle + (1 - used) * ms);
    sample = { idleMs: idleMs + 2 * free * ms, allMs: allMs + 2 * ms, own: now, memory };
    return hasRoom();
  };
  expect(after(100, 0.9, 0.1)).toBe(false);
  expect(after(100, 0.9, 0.1)).toBe(true);
  expect(after(200, 0.1, 0.1)).toBe(false);
  expect(after(200, 0.9, 0.9)).toBe(false);
  expect(after(200, 0.9, 0.1, 0.1)).toBe(false);
  expect(after(200, 0.9, 0.1)).toBe(true);
});
