/** Generates load from this process: as many requests as a server can take over a few connections. */
import autocannon from 'autocannon';
import { percentile } from './table.js';

export interface Load {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly body?: object;
  /** Either a duration in seconds, or an exact number of requests. */
  readonly seconds?: number;
  readonly amount?: number;
  readonly connections?: number;
}

export interface Measured {
  /** Responses per second. */
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly latenciesMs: readonly number[];
}

/** Latencies are collected one by one, because the generator's own histogram has whole milliseconds only. */
export async function load({ url, method = 'POST', body, seconds, amount, connections = 10 }: Load): Promise<Measured> {
  const latenciesMs: number[] = [];
  const startedMs = performance.now();
  let lastMs = startedMs;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const options: autocannon.Options = {
      url,
      method,
      connections,
      headers: { 'content-type': 'application/json', authorization: 'Bearer bench' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(amount === undefined ? { duration: seconds ?? 3 } : { amount }),
    };
    const instance = autocannon(options, (error: Error | null, done) => (error ? reject(error) : resolve(done)));
    instance.on('response', (_client, _status, _bytes, ms) => {
      latenciesMs.push(ms);
      lastMs = performance.now();
    });
  });
  if (result.non2xx > 0 || result.errors > 0 || latenciesMs.length === 0) {
    throw new Error(`${method} ${url}: ${result.non2xx} responses were not 2xx, ${result.errors} requests failed`);
  }
  return {
    rate: (latenciesMs.length * 1_000) / (lastMs - startedMs),
    p50Ms: percentile(latenciesMs, 50),
    p99Ms: percentile(latenciesMs, 99),
    latenciesMs,
  };
}

/** Makes one call and returns the JSON of its response. @throws Error for anything but 2xx */
export async function call<T = unknown>(url: string, method = 'GET', body?: object, key = 'bench'): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} responded ${response.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const fromMs = performance.now();
  await work();
  return performance.now() - fromMs;
}
