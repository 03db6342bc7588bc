/** Load from this process: as many requests as a server takes over a few keep-alive connections. */
import autocannon from 'autocannon';
import { machineTime } from '../../src/time/system-clock.js';
import { percentile } from './stats.js';

export interface Load {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  readonly body?: object;
  /** Bodies taken in turn, instead of one. */
  readonly bodies?: readonly object[];
  /** Paths with their queries taken in turn, instead of the one in `url`. */
  readonly paths?: readonly string[];
  /** Machine seconds. */
  readonly seconds?: number;
  /** Exactly so many requests, instead of a time. */
  readonly amount?: number;
  /** Open at once, each with one request under way. Default 10. */
  readonly connections?: number;
}

export interface Measured {
  /** Requests answered per second. */
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly count: number;
  /** Share of the time that this process, the generator, was busy itself: near 1 it was what limited the rate. */
  readonly generatorShare: number;
}

/** @throws Error when anything but 2xx was answered: a benchmark of refusals means nothing */
export async function load(options: Load): Promise<Measured> {
  const { url, method = 'POST', seconds = 3, amount, body, bodies, paths, connections = 10 } = options;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${benchKey}`, ...options.headers };
  const cpu = process.cpuUsage();
  const { result, latenciesMs, tookMs } = await fire({
    url,
    method,
    headers,
    connections,
    ...(amount === undefined ? { duration: seconds } : { amount }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(paths !== undefined && { requests: paths.map((path) => ({ path })) }),
    ...(bodies !== undefined && { requests: bodies.map((each) => ({ body: JSON.stringify(each) })) }),
  });
  const { user, system } = process.cpuUsage(cpu);
  if (result.non2xx > 0 || result.errors > 0) {
    const statuses = Object.entries(result.statusCodeStats ?? {}).map(
      ([status, { count = 0 }]) => `${count} × ${status}`,
    );
    throw new Error(
      `${method} ${url} answered ${statuses.join(', ')}; ${result.errors} requests failed without an answer`,
    );
  }
  const count = result['2xx'];
  if (count === 0)
    throw new Error(`${method} ${url} answered nothing in ${result.duration} s; is the machine too busy?`);
  // A number of requests ends between two ticks of the generator, which counts whole seconds.
  const lastedSeconds = amount === undefined ? result.duration : tookMs / 1_000;
  return {
    rate: count / lastedSeconds,
    p50Ms: percentile(latenciesMs, 50),
    p99Ms: percentile(latenciesMs, 99),
    count,
    generatorShare: (user + system) / 1e6 / lastedSeconds,
  };
}

interface Fired {
  readonly result: autocannon.Result;
  readonly latenciesMs: number[];
  /** From the start to the last answer. */
  readonly tookMs: number;
}

/** Latencies are taken one by one, because the generator's own histogram knows whole milliseconds only. */
function fire(options: autocannon.Options): Promise<Fired> {
  return new Promise((resolve, reject) => {
    const latenciesMs: number[] = [];
    const startedMs = machineTime.monotonic();
    let answeredMs = startedMs;
    const instance = autocannon(options, (error: Error | null, result) => {
      if (error) reject(error);
      else resolve({ result, latenciesMs, tookMs: answeredMs - startedMs });
    });
    instance.on('response', (_client, _status, _bytes, ms) => {
      latenciesMs.push(ms);
      answeredMs = machineTime.monotonic();
    });
  });
}

export const benchKey = 'bench';

/** One call as the bench account; the answer's JSON, or undefined when it has no body. @throws Error for anything but 2xx */
export async function call<T = unknown>(url: string, method = 'GET', body?: object): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${benchKey}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
