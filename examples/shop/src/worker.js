/**
 * Runs what is due, one after the other: events that were accepted, messages to be sent, lookups. One at a time keeps
 * the rest of the shop free of races, and a customer's messages in their order.
 *
 * @typedef {{ due(): number | null, run(): Promise<void> }} Job `due`: when to run it next, null for never; a
 *   run must change that, or it would be called forever
 *
 * @typedef {ReturnType<typeof createWorker>} Worker
 */

/** After a job failed by our own fault (a full disk, a bug), so that it does not fail a thousand times a second. */
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

  /** Something may be due. */
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
    /** Resolves when nothing is due any more; true if there was anything to wait for. */
    async idle() {
      const busy = running !== null;
      while (running) await running;
      return busy;
    },
    /** Finishes what is being done, and begins nothing more. */
    async close() {
      closed = true;
      cancelWake();
      while (running) await running;
    },
  };
}
