import { ApiError } from './api.js';
import { monotonicMs } from './browser.js';
import { type Call, callOf, headersOf, latin1 } from './curl.js';
import { model } from './model.js';
import { parsed } from './words.js';

export interface Response {
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly requestId: string | null;
  readonly durationMs: number;
}

/** @throws TypeError if the browser rejects a header, a method or the address */
export async function sendCall(call: Call): Promise<Response> {
  const request = new Request(location.origin + call.path, {
    method: call.method,
    headers: headersOf(call, model.value.key).map(([name, value]): [string, string] => [name, latin1(value)]),
    // Sent as bytes: for a string, the browser would set a content type.
    body: call.body === null ? null : new TextEncoder().encode(call.body),
    cache: 'no-store',
  });
  const startMs = monotonicMs();
  const response = await fetch(request).catch(() => null);
  const text = (await response?.text().catch(() => null)) ?? null;
  const came = response !== null && text !== null;
  if (call.method !== 'GET') model.value.readNow();
  return {
    status: came ? response.status : null,
    headers: came ? Object.fromEntries(response.headers) : {},
    text: text ?? '',
    requestId: response?.headers.get('x-sandbox-request') ?? null,
    durationMs: monotonicMs() - startMs,
  };
}

/**
 * A call of the service as the application of this account.
 * @returns the body of the response
 * @throws ApiError
 */
export async function callService(path: string, body: object): Promise<Readonly<Record<string, string>>> {
  const { status, text } = await sendCall(callOf('POST', path, body));
  if (status === null) {
    const isAway = model.value.stream.connection.value.state !== 'live';
    const message = isAway
      ? 'The sandbox does not respond. Is it still running?'
      : 'No response: a fault broke the connection.';
    throw new ApiError(0, { error: { message } });
  }
  const response = parsed(text);
  if (status >= 300) throw new ApiError(status, response);
  return Object(response) as Record<string, string>;
}
