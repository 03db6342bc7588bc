/** Waits of the machine's own time, for clients and commands; an account's time has its own clock. */
import { machineTime, type SystemClock } from './system-clock.js';

export const pause = (ms: number, host: Pick<SystemClock, 'setTimer'> = machineTime): Promise<void> =>
  new Promise((resolve) => void host.setTimer(ms, () => resolve()));

/** Resolves with `late` if the promise takes longer. */
export async function within<T>(
  limitMs: number,
  promise: Promise<T>,
  host: Pick<SystemClock, 'setTimer'> = machineTime,
): Promise<T | 'late'> {
  let cancel = (): void => undefined;
  const late = new Promise<'late'>((resolve) => {
    cancel = host.setTimer(limitMs, () => resolve('late'));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    cancel();
  }
}
