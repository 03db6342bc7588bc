/**
 * Runs due jobs one after the other: accepted events, messages to send, lookups. One at a time avoids races in the
 * rest of the shop, and keeps a customer's messages in order.
 *
 * @typedef {{ due(): number | null, run(): Promise<void> }} Job `due`: when to run it next, null for never; a
 *   run must change that, or it would be called forever
 *
 * @typedef {ReturnType<typeof createWorker>} Worker
 */

/**
 * Delay after a job failed because of the shop itself (a full disk, a bug), so that it does not fail a thousand times a
 * second.
 */
const BREATHER_MS = 5_000;

/**
 * @param {import('./clock.js').Clock} clock
 * @param {readonly Job[]} jobs
 * @param {(line: string) => void} log
 */
export function createWorker(clock, jobs, log) {
  /** @type {Promise<void> | null} */
  let running = null;
  let poked = false;
  let closed = false;
  let cancelWake = () => {};

  const nextDue = () => Math.min(...jobs.map((job) => job.due() ?? Infinity));

  async function work() {
    do {
      poked = false;
      for (const job of jobs) if ((job.due() ?? Infinity) <= clock.now()) await job.run();
    } while (!closed && (poked || nextDue() <= clock.now()));
    if (!closed) wakeAt(nextDue());
  }

  /** @param {number} atMs */
  function wakeAt(atMs) {
    cancelWake();
    if (Number.isFinite(atMs)) cancelWake = clock.wake(atMs, poke);
  }

  /** A job may be due now. */
  function poke() {
    poked = true;
    if (closed || running) return;
    cancelWake();
    running = work()
      .catch((error) => {
        log(`the worker stumbled: ${error instanceof Error ? error.stack : error}`);
        poked = false;
        if (!closed) wakeAt(clock.now() + BREATHER_MS);
      })
      .finally(() => {
        running = null;
        if (poked) poke();
      });
  }

  return {
    poke,
    /** Resolves when no job is due; true if there was anything to wait for. */
    async idle() {
      const busy = running !== null;
      while (running) await running;
      return busy;
    },
    /** Finishes the current job, and starts no other. */
    async close() {
      closed = true;
      cancelWake();
      while (running) await running;
    },
  };
}
