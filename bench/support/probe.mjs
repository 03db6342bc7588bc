/**
 * Put before a server by `--import`: answers over the channel to its parent what only the process itself knows. Plain
 * JavaScript, because the node that is measured runs it as it stands. Needs `--expose-gc`.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** In milliseconds; the monitor wakes up so often, and that much of each delay is its own. */
const resolution = 1;
let delays = null;

const answers = {
  /** Bytes in use after a collection, on the heap and beside it. */
  memory() {
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  },
  /** The longest that the event loop was held since the last question, in milliseconds; the first answer is 0. */
  delay() {
    const longest = delays === null ? 0 : Math.max(0, delays.max / 1e6 - resolution);
    if (delays === null) (delays = monitorEventLoopDelay({ resolution })).enable();
    delays.reset();
    return longest;
  },
};

process.on('message', (question) => process.send(answers[question]()));
// Its parent's channel is no reason to go on.
process.channel.unref();
