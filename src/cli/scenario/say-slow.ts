import { machineTime } from '../../time/system-clock.js';

/** Longer than this, and a person at a terminal wonders whether anything happens; in real milliseconds. */
const PATIENCE_MS = 2_000;

/** Says on stderr what is going on when the work takes more than two seconds; only to a terminal. */
export async function saySlow<T>(text: string, work: Promise<T>): Promise<T> {
  const cancel = machineTime.setTimer(PATIENCE_MS, () => {
    if (process.stderr.isTTY) process.stderr.write(`${text} …\n`);
  });
  try {
    return await work;
  } finally {
    cancel();
  }
}
