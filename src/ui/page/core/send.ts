/** Calls of the API, as an application makes them. */
import { monotonicMs } from './browser.js';
import { type Call, headersOf, latin1 } from './curl.js';

export interface Response {
  /** Null without a response. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Id of the call in the request journal. */
  readonly requestId: string | null;
  readonly durationMs: number;
}

/** @throws TypeError if the browser rejects a header, a method or the address */
export async function sendCall(call: Call, key: string): Promise<Response> {
  const request = new Request(location.origin + call.path, {
    method: call.method,
    headers: headersOf(call, key).map(({ name, value }): [string, string] => [name, latin1(value)]),
    // Sent as bytes: for a string, the browser would set a content type.
    body: call.body === null ? null : new TextEncoder().encode(call.body),
    cache: 'no-store',
  });
  const startMs = monotonicMs();
  const response = await fetch(request).catch(() => null);
  const text = (await response?.text().catch(() => null)) ?? null;
  const came = response !== null && text !== null;
  return {
    status: came ? response.status : null,
    headers: came ? Object.fromEntries(response.headers) : {},
    text: text ?? '',
    requestId: response?.headers.get('x-sandbox-request') ?? null,
    durationMs: monotonicMs() - startMs,
  };
}

interface ServiceError {
  readonly code: string;
  readonly message: string;
  readonly details: readonly { readonly field: string; readonly message: string }[];
}

/** Returns the error in a response of the service; null if there is none. */
export function errorOf({ text, status }: Pick<Response, 'text' | 'status'>): ServiceError | null {
  if (status === null)
    return { code: 'no_response', message: 'No response: a fault broke the connection.', details: [] };
  try {
    const { error } = Object(JSON.parse(text)) as { error?: Partial<ServiceError> };
    if (error?.message !== undefined)
      return { code: error.code ?? '', message: error.message, details: error.details ?? [] };
  } catch {
    // Not JSON: only the status speaks.
  }
  return status < 300 ? null : { code: String(status), message: `The response was ${status}.`, details: [] };
}

/** The service's error as one sentence. */
export function errorWords({ message, details }: ServiceError): string {
  const more = details.filter((each) => !message.includes(each.message));
  return [message, ...more.map(({ field, message: words }) => `${field}: ${words}`)].join(' ');
}
