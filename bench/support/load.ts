/** Load from this process: as many requests as a server takes over a few keep-alive connections. */
import autocannon from 'autocannon';

export interface Load {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  readonly body?: object;
  /** Bodies taken in turn, instead of one. */
  readonly bodies?: readonly object[];
  /** Machine seconds. */
  readonly seconds?: number;
  /** Exactly so many requests, instead of a time. */
  readonly amount?: number;
}

export interface Measured {
  /** Requests answered per second. */
  readonly rate: number;
  readonly p99Ms: number;
  readonly count: number;
}

const connections = 10;

/** @throws Error when anything but 2xx was answered: a benchmark of refusals means nothing */
export async function load(options: Load): Promise<Measured> {
  const { url, method = 'POST', seconds = 3, amount, body, bodies } = options;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${benchKey}`, ...options.headers };
  const result = await autocannon({
    url,
    method,
    headers,
    connections,
    ...(amount === undefined ? { duration: seconds } : { amount }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(bodies !== undefined && { requests: bodies.map((each) => ({ body: JSON.stringify(each) })) }),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} answers were no 2xx, ${result.errors} failed`);
  const count = result['2xx'];
  return { rate: count / result.duration, p99Ms: result.latency.p99, count };
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
