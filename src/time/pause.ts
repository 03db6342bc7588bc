/** Waits of the machine's own time, for clients and commands; an account's time has its own clock. */
import { machineTime } from './system-clock.js';

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => void machineTime.setTimer(ms, () => resolve()));

/** Resolves with `late` if the promise takes longer. */
export async function within<T>(limitMs: number, promise: Promise<T>): Promise<T | 'late'> {
  let cancel = (): void => undefined;
  const late = new Promise<'late'>((resolve) => {
    cancel = machineTime.setTimer(limitMs, () => resolve('late'));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    cancel();
  }
}
